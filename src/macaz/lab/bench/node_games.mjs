// Plays random games with the kernel's module: node node_games.mjs MODULE TABLE BATCH SECONDS
// TABLE has the bytes of a table of the rules. Tells how many games took how long, as JSON.
import { readFileSync } from 'node:fs';

const [modulePath, tablePath, batch, seconds] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(modulePath));
const [section] = WebAssembly.Module.customSections(module, 'macaz');
const entry = JSON.parse(new TextDecoder().decode(section)).entries.random_games;
const { exports } = new WebAssembly.Instance(module, {});
const memory = exports.memory.buffer; // it never grows

let free = exports.__heap_base.value;
const take = (size) => {
  const at = Math.ceil(free / 16) * 16;
  free = at + size;
  return at;
};

// An argument is an integer, or the address of an array and its length, 8 bytes each.
const words = new BigInt64Array(memory, take(8 * 32), 32);
const lengths = { tallies: Number(batch), lengths: Number(batch) };
const arrays = {}, integers = {};
let n = 0;
for (const [name, size] of entry) {
  if (size === '') integers[name] = n++;
  else {
    const length = lengths[name] ?? 1;
    arrays[name] = new Uint8Array(memory, take(size * length), size * length);
    words[n++] = BigInt(arrays[name].byteOffset);
    words[n++] = BigInt(length);
  }
}
arrays.specs.set(readFileSync(tablePath));
words[integers.seed] = 1n;
words[integers.first] = -1n;

function play(start) {
  words[integers.start] = BigInt(start);
  exports.random_games(words.byteOffset);
  const { byteOffset } = arrays.lengths;
  return new Int32Array(memory, byteOffset, lengths.lengths).reduce((a, b) => a + b, 0);
}

function playFor(milliseconds) {
  const began = performance.now();
  let games = 0, decisions = 0, passed = 0;
  while (passed < milliseconds || !games) {
    decisions += play(games);
    games += lengths.lengths;
    passed = performance.now() - began;
  }
  return { games, decisions, seconds: passed / 1000 };
}

const first = play(0);
playFor(500 * Number(seconds)); // until the code is optimised
console.log(JSON.stringify({ first, ...playFor(1000 * Number(seconds)) }));
