"""Write src/macaz/kernel/macaz.wasm: the rules and the players as one WebAssembly module.

The functions that Numba compiles for a processor are compiled for wasm32. Numba only translates
them to LLVM code, unoptimised, because its own optimiser assumes the 64-bit layout of this machine.
LLVM (in llvmlite) then optimises for wasm32, and wasm-ld (in ziglang) links. The module imports
nothing, and the same sources and tools give the same bytes.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import carray, types
from numba.extending import intrinsic, overload

from macaz.help.compiled.program import ALL
from macaz.kernel.compile import Argument, arguments, bind, entries
from macaz.kernel.native import NATIVES, one_copy
from macaz.kernel.wasm import MODULE, PAGE, PAGES, SECTION, description

# Numba reads these when it is imported; sets must have the same order in every build.
SETTINGS = {
    "PYTHONHASHSEED": "0",
    "NUMBA_OPT": "0",
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "NUMBA_DISABLE_INTEL_SVML": "1",
}
TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+simd128"
STACK = 1 << 16  # bytes; the compiled functions do not recurse


@cache
def pointer(dtype: np.dtype[Any]) -> Any:
    """A compiled function that takes an address for a pointer to elements of a type."""

    @intrinsic
    def pointer_to(_typing: Any, _address: Any) -> Any:
        kind = types.CPointer(numba.from_dtype(dtype))

        def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(kind))

        return kind(types.int64), generate

    return pointer_to


def as_word(value: Any) -> int:
    """What an entry returns, as an integer; 0 of one that returns nothing."""
    return int(value or 0)


@overload(as_word)
def _as_word(value):  # type: ignore[no-untyped-def]  # Numba compares the two signatures
    return (lambda value: 0) if value is types.none else (lambda value: value + 0)


def export(name: str, function: FunctionType, inner: Any) -> Any:
    """An entry as a compiled function of one address: where its arguments stand, word by word."""
    space: dict[str, Any] = {"carray": carray, "as_word": as_word, "inner": inner}
    space["words_at"] = pointer(np.dtype(np.int64))
    at = 0

    def text(argument: Argument) -> str:
        """The argument as an expression, read from the words that follow."""
        nonlocal at
        if argument.group:
            space[argument.group.__name__] = argument.group
            return f"{argument.group.__name__}({', '.join(map(text, argument.parts))})"
        here = at
        if argument.dtype is None:
            at += 1
            return f"words[{here}]"
        space[f"{argument.name}_at"] = pointer(argument.dtype)
        at += 1 + argument.axes
        shape = ", ".join(f"words[{here + 1 + axis}]" for axis in range(argument.axes))
        return f"carray({argument.name}_at(words[{here}]), ({shape},))"

    texts = [text(argument) for argument in arguments(ALL, function)]
    source = (
        f"def {name}(call):\n"
        f"    words = carray(words_at(call), ({at},))\n"
        f"    return as_word(inner({', '.join(texts)}))\n"
    )
    exec(source, space)
    made = numba.njit("int64(int64)", error_model="numpy", no_cpython_wrapper=True)(space[name])
    return made.overloads[(types.int64,)]


def translate() -> tuple[llvm.ModuleRef, list[str]]:
    """All entries as one LLVM module for wasm32, unoptimised, and their names."""

    def jit(function: FunctionType) -> Any:
        options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return one_copy(numba.njit(error_model="numpy", **options)(function))

    run = bind(ALL, jit, NATIVES)
    names = list(entries(ALL))
    texts, wrappers = [], []
    for name, function in entries(ALL).items():
        made = export(name, function, getattr(run, name))
        texts.append(made.library.get_llvm_str())
        called = f'@"{made.fndesc.llvm_func_name}"'
        # Numba's functions return a status, their result and an exception's place; an entry
        # returns the result, and stops the instance where there is an exception.
        wrappers.append(f"""
declare i32 {called}(ptr, ptr, i64)
define i64 @{name}(i32 %call) {{
    %result = alloca i64
    %exception = alloca ptr
    store i64 0, ptr %result
    %address = zext i32 %call to i64
    %status = call i32 {called}(ptr %result, ptr %exception, i64 %address)
    %good = icmp eq i32 %status, 0
    br i1 %good, label %done, label %failed
failed:
    call void @llvm.trap()
    unreachable
done:
    %value = load i64, ptr %result
    ret i64 %value
}}""")
    texts.append("declare void @llvm.trap()\n" + "".join(wrappers))
    module = llvm.parse_assembly(_for_wasm(texts[-1]))
    for text in texts[:-1]:
        module.link_in(llvm.parse_assembly(_for_wasm(text)))
    for function in module.functions:
        if not function.is_declaration and function.name not in names:
            function.linkage = "internal"
    return module, names


def _for_wasm(text: str) -> str:
    text = re.sub(r'target datalayout = ".*"', "", text)
    text = re.sub(r'target triple = ".*"', f'target triple = "{TRIPLE}"', text)
    text = re.sub(r'"(target-cpu|target-features|tune-cpu)"="[^"]*"', "", text)
    # The arrays are never freed: reference counting does nothing.
    text = re.sub(
        r"define [^\n]*@NRT_(incref|decref)\(.*?\n}\n",
        r"define linkonce_odr void @NRT_\1(ptr %0) alwaysinline { ret void }\n",
        text,
        flags=re.DOTALL,
    )
    # The instruction, not a function of a library.
    text = re.sub(r"@sqrt\b", "@llvm.sqrt.f64", text)
    return text.replace("= common ", "= internal ")  # WebAssembly has no common symbols


def optimise(module: llvm.ModuleRef) -> bytes:
    """The module as an object file, optimised for wasm32."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        opt=3, features=FEATURES, reloc="static"
    )
    module.data_layout, module.triple = str(machine.target_data), TRIPLE
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    if os.environ.get("MACAZ_WASM_LL"):
        Path(os.environ["MACAZ_WASM_LL"]).write_text(str(module))
    check(str(module))
    return bytes(machine.emit_object(module))


def check(text: str) -> None:
    """Refuse code that could depend on the 64-bit layout it was translated for."""
    for line in text.splitlines():
        if re.search(r"= alloca .*[{\[].*\bptr\b", line):
            sys.exit(f"macaz.wasm: an aggregate on the stack holds a pointer: {line.strip()}")


def link(code: bytes, names: list[str]) -> bytes:
    """The module, linked, without imports or names."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "macaz.o"), Path(folder, "macaz.wasm")
        source.write_bytes(code)
        size = PAGES * PAGE
        command = [sys.executable, "-m", "ziglang", "wasm-ld", "--no-entry", "--strip-all", "-O3"]
        command += ["--gc-sections", "--stack-first", "-z", f"stack-size={STACK}"]
        command += [f"--initial-memory={size}", f"--max-memory={size}", "--export=__heap_base"]
        command += [f"--export={name}" for name in names]
        # What is not defined is an error: the module imports nothing.
        subprocess.run([*command, str(source), "-o", str(result)], check=True)
        return result.read_bytes()


def with_section(module: bytes, name: str, content: bytes) -> bytes:
    """The module with a custom section at its end."""
    label = name.encode()
    body = _leb(len(label)) + label + content
    return module + b"\0" + _leb(len(body)) + body


def _leb(number: int) -> bytes:
    """A number as WebAssembly writes it: seven bits a byte, the lowest first."""
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def build() -> bytes:
    """The bytes of the module."""
    module, names = translate()
    linked = link(optimise(module), names)
    return with_section(linked, SECTION, json.dumps(description(ALL), sort_keys=True).encode())


if __name__ == "__main__":
    if any(os.environ.get(name) != value for name, value in SETTINGS.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | SETTINGS)
    made = build()
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else MODULE
    target.write_bytes(made)
    print(f"Wrote {target} ({len(made):,} bytes)")
