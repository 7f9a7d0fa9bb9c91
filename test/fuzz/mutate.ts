import { HOSTILE, phrasesOf } from './grammar.js';
import type { Random } from './random.js';

const encoder = new TextEncoder();
const SEPARATORS = [' ', '\n', '', ':', ',', '\0'];

/** One change that makes a valid text less valid. */
type Mutation = (random: Random, bytes: Uint8Array) => Uint8Array;

const MUTATIONS: readonly Mutation[] = [
  (_random, bytes) => bytes,
  (random, bytes) => bytes.subarray(0, random.below(bytes.length + 1)),
  (random, bytes) => bytes.map((byte) => (random.once(8) ? byte ^ (1 << random.below(8)) : byte)),
  (random, bytes) => inserted(bytes, random.below(bytes.length + 1), encoder.encode(random.pick(HOSTILE))),
  (random, bytes) => inserted(bytes, random.below(bytes.length + 1), random.bytes(random.below(40))),
  (random, bytes) => (bytes.length < 4096 ? repeated(bytes, 1 + random.below(20)) : bytes),
  (random) => random.bytes(random.below(600)),
  (random) => encoder.encode(random.pick(HOSTILE)),
];

function inserted(bytes: Uint8Array, at: number, more: Uint8Array): Uint8Array {
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
}

function repeated(bytes: Uint8Array, times: number): Uint8Array {
  return Buffer.concat(Array.from({ length: times }, () => bytes));
}

/** Something to write into the file: a few of its phrases, as they are every other time. */
export function hostileText(random: Random, path: string): Uint8Array {
  const phrases = phrasesOf(path);
  let text = '';
  for (let left = 1 + random.below(4); left > 0; left--) text += random.pick(phrases) + random.pick(SEPARATORS);
  const bytes = encoder.encode(text);
  return random.once(2) ? bytes : random.pick(MUTATIONS)(random, bytes);
}
