#!/bin/sh
# Set up .venv from the locked requirements: tools/setup.sh app | nodes | lab | dev
# Or what else the project needs, in .tools/: tools/setup.sh uv | node | wasm
# Needs Python 3.11 and the network; neither root nor a venv module. Prefers a uv that is already
# installed, otherwise puts one into .tools/.
set -eu
cd "$(dirname "$0")/.."

UV_VERSION=0.13.7
TORCH_VERSION=2.13.0
PYTHON=${PYTHON:-python3}

say() { echo "$*" >&2; }
die() { say "macaz: $*"; exit 1; }

command -v "$PYTHON" >/dev/null ||
    die "no '$PYTHON' here. Install Python 3.11 or newer, or name one: make PYTHON=/path/to/python3"
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    die "Macaz needs Python 3.11 or newer, and '$PYTHON' is $("$PYTHON" --version 2>&1)." \
        "Name another one: make PYTHON=python3.12"

# A home that cannot be written to (a service account, a container) must not stop us.
if ! mkdir -p "${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/uv" 2>/dev/null; then
    export UV_CACHE_DIR="${UV_CACHE_DIR:-$PWD/.tools/cache}"
fi

# Four ways to a uv; the first that works wins.
try_pip() { "$1" -m pip install --quiet --no-cache-dir --disable-pip-version-check \
    --root-user-action=ignore --upgrade --target .tools/uv "uv==$UV_VERSION" 2>>.tools/log; }
try_venv() { "$PYTHON" -m venv .tools/pip >>.tools/log 2>&1 && try_pip .tools/pip/bin/python; }
try_installer() {
    url=https://astral.sh/uv/$UV_VERSION/install.sh
    { curl -fsSL "$url" || wget -qO- "$url"; } >.tools/install.sh 2>>.tools/log &&
        UV_UNMANAGED_INSTALL="$PWD/.tools/uv/bin" sh .tools/install.sh >>.tools/log 2>&1
}

UV=$(command -v uv || echo .tools/uv/bin/uv)
if ! "$UV" --version >/dev/null 2>&1; then
    UV=.tools/uv/bin/uv
    say "Setting up: uv $UV_VERSION, into .tools/"
    mkdir -p .tools
    : >.tools/log
    try_pip "$PYTHON" || try_venv || try_installer || {
        cat .tools/log >&2
        die "could not install uv: '$PYTHON' has neither pip nor venv, or there is no network." \
            "Install one of them (Debian: python3-pip or python3-venv) or uv itself, and try again."
    }
fi
[ "$1" != uv ] || { echo "$UV"; exit 0; }

# Tools that are used seldom, apart from .venv.
into_tools() {
    say "Setting up: $2, into .tools/"
    rm -rf ".tools/$1"
    "$UV" pip install --quiet --python "$PYTHON" --target ".tools/$1" --require-hashes \
        -r "requirements/$1.txt"
    exit 0
}
case $1 in
    node) into_tools node Node ;;
    wasm) into_tools wasm "wasm-ld" ;;
esac

# What was set up before stays.
names=app
for name in nodes lab dev; do
    [ "$1" != $name ] && [ ! -e .venv/.$name ] || names="$names $name"
done

if ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    say "Setting up: $("$PYTHON" --version) in .venv/"
    "$UV" venv --quiet --clear --no-project --no-python-downloads \
        --python "$("$PYTHON" -c 'import sys; print(sys.executable)')" .venv
fi
files=$(printf ' requirements/%s.txt' $names)
say "Setting up: the packages of$files"
"$UV" pip sync --quiet --python .venv --require-hashes $files
"$UV" pip install --quiet --python .venv --no-deps --no-build-isolation --editable .
for name in $names; do
    [ $name = dev ] || touch .venv/.$name
done
case $names in *dev) ;; *) exit 0 ;; esac

# PyTorch, for the tests of training. It is pinned here and not in the lock: the builds without
# CUDA, a tenth of the size, are on PyTorch's own index and not on PyPI. It lives in a folder of its
# own, which .venv looks into last: the sync above would remove it each time.
TORCH=.venv/torch-$TORCH_VERSION
torch_is_there() { .venv/bin/python -c "import sys; from importlib.metadata import version; \
    sys.exit(version('torch').partition('+')[0] != '$TORCH_VERSION')" 2>/dev/null; }
# Three ways to it; the first that works wins. An index that cannot be reached is soon given up.
uv_torch() { UV_HTTP_RETRIES=1 "$UV" pip install --quiet --python .venv --target "$TORCH" "$@" \
    "torch==$TORCH_VERSION" 2>>.tools/log; }
pip_torch() { "$PYTHON" -m pip --python .venv install --quiet --disable-pip-version-check \
    --target "$TORCH" "torch==$TORCH_VERSION" 2>>.tools/log; }

if ! torch_is_there; then
    say "Setting up: PyTorch $TORCH_VERSION, for the tests of training"
    rm -rf .venv/torch-*
    mkdir -p .tools
    : >.tools/log
    uv_torch --torch-backend cpu || pip_torch || uv_torch || {
        cat .tools/log >&2
        die "could not install PyTorch $TORCH_VERSION: see above, and try again."
    }
    echo "$PWD/$TORCH" >"$(.venv/bin/python -c \
        'import sysconfig; print(sysconfig.get_path("purelib"))')/macaz_torch.pth"
fi
touch .venv/.dev
