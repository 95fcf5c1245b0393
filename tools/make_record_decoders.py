"""Write web/src/net/records.ts from kernel/layout.py: how a browser reads the kernel's records.

Beside it goes records.fixture.json, bytes with the values that NumPy reads in them, for its test.
"""

import base64
import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from macaz.kernel.layout import RECORDS, Field, dtype_of

FILE = Path(__file__).resolve().parent.parent / "web" / "src" / "net" / "records.ts"
FIXTURE = FILE.with_name("records.fixture.json")
# What never leaves the kernel: compiled rules and scratch paper.
INTERNAL = ("spec", "work", "gpu-work", "world", "network", "dice")
NAMES = tuple(name for name in RECORDS if name not in INTERNAL)
WIDTH = 110
HEAD = """\
// Written by tools/make_record_decoders.py from src/macaz/kernel/layout.py. Do not edit.
// The records of the kernel, as they lie in the memory of the WebAssembly module.

type Kind = "i1" | "i2" | "i8"; // signed integers of so many bytes, little endian
type Field = readonly [name: string, kind: Kind, offset: number, shape: readonly number[]];
type Value = number | bigint | Value[];

const BYTES = { i1: 1, i2: 2, i8: 8 };

function one(data: DataView, kind: Kind, at: number): number | bigint {
  if (kind === "i1") return data.getInt8(at);
  return kind === "i2" ? data.getInt16(at, true) : data.getBigInt64(at, true);
}

function many(data: DataView, kind: Kind, at: number, [length, ...rest]: readonly number[]): Value {
  if (length === undefined) return one(data, kind, at);
  const size = rest.reduce((product, n) => product * n, BYTES[kind]);
  return Array.from({ length }, (_, i) => many(data, kind, at + i * size, rest));
}

const read = (fields: readonly Field[], data: DataView, at: number): unknown =>
  Object.fromEntries(
    fields.map(([name, kind, offset, shape]) => [name, many(data, kind, at + offset, shape)]),
  );
"""


def camel(name: str) -> str:
    """A record's name in TypeScript."""
    return "".join(part.capitalize() for part in name.split("-"))


def type_text(field: Field) -> str:
    """The type of a field: 64 bits are more than a number holds."""
    return ("bigint" if field.kind == "i8" else "number") + "[]" * len(field.shape)


def line(field: Field, offset: int) -> str:
    """Where a field lies."""
    shape = ", ".join(map(str, field.shape))
    return f'  ["{field.name}", "{field.kind}", {offset}, [{shape}]],\n'


def decoder(name: str) -> str:
    """The type of a record, its size and the function that reads it."""
    fields, dtype = RECORDS[name], dtype_of(name)
    kind, constant = camel(name), name.replace("-", "_").upper()
    assert dtype.fields is not None
    declared = "".join(f"  /** {f.doc} */\n  {f.name}: {type_text(f)};\n" for f in fields)
    table = "".join(line(f, dtype.fields[f.name][1]) for f in fields)
    head = f"export const read{kind} = (data: DataView, at = 0): {kind}Record =>"
    body = f"read({constant}, data, at) as {kind}Record;"
    return f"""
export interface {kind}Record {{
{declared}}}

/** bytes of a record */
export const {constant}_SIZE = {dtype.itemsize};

const {constant}: readonly Field[] = [
{table}];

{head}{f" {body}" if len(head) + len(body) < WIDTH else f"{chr(10)}  {body}"}
"""


def page() -> str:
    """The whole file."""
    return HEAD + "".join(decoder(name) for name in NAMES)


def plain(value: Any, kind: str) -> Any:
    """A value for JSON: 64 bits as text."""
    if isinstance(value, list):
        return [plain(part, kind) for part in value]
    return str(value) if kind == "i8" else value


def fixture() -> str:
    """Records of chance bytes, and what NumPy reads in them."""
    chance, found = random.Random("records"), {}
    for name in NAMES:
        dtype = dtype_of(name)
        data = chance.randbytes(dtype.itemsize)
        record = np.frombuffer(data, dtype)[0]
        values = {f.name: plain(record[f.name].tolist(), f.kind) for f in RECORDS[name]}
        found[camel(name)] = {"bytes": base64.b64encode(data).decode(), "values": values}
    return json.dumps(found, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    for path, text in ((FILE, page()), (FIXTURE, fixture())):
        path.write_text(text, encoding="utf-8")
        print(f"Wrote {path}")
