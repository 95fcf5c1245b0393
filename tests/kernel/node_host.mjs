// Hosts macaz.wasm in V8, and repeats calls that were written down elsewhere (tests/calls.py):
//     node node_host.mjs macaz.wasm story.json

import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** The module, with arrays by name in its memory. */
class Kernel {
  constructor(code) {
    const module = new WebAssembly.Module(code);
    const [section] = WebAssembly.Module.customSections(module, 'macaz');
    // By entry, its arguments: a name, the size of an element ('' for an integer), how many axes.
    this.entries = JSON.parse(new TextDecoder().decode(section)).entries;
    this.exports = new WebAssembly.Instance(module, {}).exports; // it imports nothing
    this.memory = this.exports.memory.buffer; // it never grows
    this.free = this.exports.__heap_base.value;
    this.words = this.take(8 * 96); // where the arguments of a call stand
    this.arrays = {};
  }

  /** The address of so many bytes that nothing else uses. */
  take(size) {
    const at = Math.ceil(this.free / 16) * 16;
    this.free = at + size;
    if (this.free > this.memory.byteLength) throw new Error('the memory is full');
    return at;
  }

  /** Make an array of one axis for all arguments of this name; its bytes are in `bytes`. */
  makeArray(name, length) {
    const [, size] = Object.values(this.entries).flat().find((argument) => argument[0] === name);
    const at = this.take(size * length);
    this.arrays[name] = { at, length, bytes: new Uint8Array(this.memory, at, size * length) };
  }

  /** Call an entry with the arrays of its arguments' names, and with integers in their order. */
  call(entry, integers) {
    const left = integers.values();
    const words = this.entries[entry].flatMap(([name, size]) =>
      size === '' ? [left.next().value] : [this.arrays[name].at, this.arrays[name].length],
    );
    new BigInt64Array(this.memory, this.words, words.length).set(words.map(BigInt));
    return Number(this.exports[entry](this.words));
  }
}

const [, , modulePath, storyPath] = process.argv;
const story = JSON.parse(readFileSync(storyPath, 'utf8'));
const kernel = new Kernel(readFileSync(modulePath));
for (const [name, length] of Object.entries(story.arrays)) kernel.makeArray(name, length);
let count = 0;
for (const { name, given, calls } of story.scenes) {
  for (const [array, text] of Object.entries(given))
    kernel.arrays[array].bytes.set(Buffer.from(text, 'base64'));
  for (const [number, [entry, integers, result, checksum]] of calls.entries()) {
    const found = kernel.call(entry, integers);
    const sum = story.seen.reduce((before, array) => crc32(kernel.arrays[array].bytes, before), 0);
    if (found !== result || sum !== checksum) {
      console.error(`${name}, call ${number}, ${entry}(${integers}):`);
      console.error(`returns ${found}, not ${result}; checksum ${sum}, not ${checksum}`);
      process.exit(1);
    }
    count += 1;
  }
}
console.log(`${story.scenes.length} scenes and ${count} calls agree`);
