import { type Mapping, type MemoryRange, mappings, OwnMemory, PlacingRefused } from '../machine-code/own-memory.js';
import { type FunctionToPlace, placeFunction } from '../machine-code/place-function.js';
import type { WasmApi } from '../machine-code/wasm-function.js';
import { BLOCK, BLOCK_BYTES, CHAIN, CHAIN_CODES, ENTRY_TYPES, FRAME_PEEKS, PEEK, type ReadChain } from './chain-code.js';

/** What reads this thread's frames, and what it has learned of this V8. */
export interface PlacedChain {
  readonly read: ReadChain;
  /** Where the code is that V8 compiles, and the code that came with V8. */
  readonly compiled: MemoryRange;
  readonly builtIn: MemoryRange;
  /** Where an interpreted function goes on after a call. */
  readonly interpreter: number;
}

/** The memory of one table of chains. */
export interface ChainBlock {
  /** Halves of its words, lower ones first. */
  readonly words: Uint32Array;
  readonly address: number;
}

/** What a realm of V8's gives that no program has changed. */
export interface ChainRealm {
  readonly wasm: WasmApi | undefined;
  readonly newWeakMap: () => WeakMap<object, number>;
  /** Returns a new function that returns what `read` gives for PEEKS numbers from `what` on. */
  readonly newPeek: () => (read: ReadChain, what: number) => readonly number[];
}

const TO_PLACE: FunctionToPlace<ReadChain> = {
  wasm: CHAIN,
  codes: CHAIN_CODES,
  isCompiled: (read) => read(0, null) === null,
  isPlaced: (read) => typeof read(PEEK.address, null) === 'number',
};

/**
 * Places the function, and learns what it has to know of this V8. Takes some milliseconds.
 * @throws PlacingRefused if this is not a V8 whose frames it knows
 */
export function placeChain(realm: ChainRealm): PlacedChain {
  const { variables } = process.config as { readonly variables: Readonly<Record<string, unknown>> };
  if (variables.v8_enable_pointer_compression) throw new PlacingRefused('V8 compresses its pointers');
  const { call: read } = placeFunction(realm.wasm, TO_PLACE);
  checkWeakMap(read, realm);
  const all = mappings();
  const builtIn = mappingOf(all, outerCode(read));
  if (builtIn.inode === 0) throw new PlacingRefused('the code that came with V8 is in memory of its own');
  const isFromFile = (address: number): boolean =>
    all.some(({ from, to, inode }) => from <= address && address < to && inode !== 0);
  const { interpreter, compiledCode } = codeOfFunctions(read, realm, isFromFile);
  if (mappingOf(all, interpreter).inode === 0) throw new PlacingRefused('V8 interprets functions with code of their own');
  const compiled = anonymousAround(mappings(), compiledCode);
  return { read, compiled, builtIn, interpreter };
}

/** Creates a block. @throws PlacingRefused */
export function createBlock({ read, compiled, builtIn, interpreter }: PlacedChain): ChainBlock {
  const words = new Uint32Array(BLOCK_BYTES / 4);
  const address = addressOfBlock(read, words);
  putRange(words, BLOCK.COMPILED, compiled);
  putRange(words, BLOCK.BUILT_IN, builtIn);
  putWord(words, BLOCK.INTERPRETER, interpreter);
  return { words, address };
}

const HALF = 2 ** 32;

/** Writes a word of a block. */
export function putWord(words: Uint32Array, at: number, value: number): void {
  words[2 * at] = value;
  words[2 * at + 1] = value / HALF;
}

function putRange(words: Uint32Array, at: number, { from, to }: MemoryRange): void {
  putWord(words, at, from);
  putWord(words, at + 1, to - from);
}

const joined = (low: number, high: number): number => (low >>> 0) + (high >>> 0) * HALF;

/** A word that is peeked at: exact below 2 to the power of 53. */
const peek = (read: ReadChain, what: number, object: object | null = null): number =>
  joined(read(what, object) as number, read(what + 1, object) as number);

/** The words of a typed array among which the address of its bytes is. */
const ARRAY_WORDS = { from: 3, to: 11 } as const;
/** No address of a process is higher. */
const MOST_ADDRESS = 2 ** 47;

/** Where the words are in memory. */
function addressOfBlock(read: ReadChain, words: Uint32Array): number {
  const memory = new OwnMemory();
  try {
    for (let word: number = ARRAY_WORDS.from; word < ARRAY_WORDS.to; word++) {
      const from = peek(read, PEEK.object + 2 * word, words);
      const isAddress = from > 4096 && from < MOST_ADDRESS && from % 8 === 0;
      if (isAddress && [0x5eed_0001, 0x0bad_5eed].every((mark) => hasMark(memory, words, from, mark))) return from;
    }
  } finally {
    memory.close();
    words[0] = 0;
  }
  throw new PlacingRefused('the memory of an array was not found');
}

/** Whether a new mark in the array's first word is at an address. */
function hasMark(memory: OwnMemory, words: Uint32Array, from: number, mark: number): boolean {
  words[0] = mark;
  try {
    const bytes = memory.read({ from, to: from + 4 });
    return bytes.length === 4 && bytes.readUInt32LE() === mark;
  } catch {
    return false;
  }
}

/** The word of a WeakMap's table that counts its entries. */
const COUNT_WORD = 2;

/** A WeakMap has a table as the function knows it. */
function checkWeakMap(read: ReadChain, { newWeakMap }: ChainRealm): void {
  const map = newWeakMap();
  const keys = [{}, {}, {}];
  const counts = keys.map((key) => {
    map.set(key, 1);
    const isObject = (peek(read, PEEK.object + 2 * 3, map) & 1) === 1;
    return isObject ? peek(read, PEEK.table + 2 * COUNT_WORD, map) / HALF : -1;
  });
  map.delete(keys[0]!);
  counts.push(peek(read, PEEK.table + 2 * COUNT_WORD, map) / HALF);
  if (String(counts) !== '1,2,3,2') throw new PlacingRefused('V8 has other tables of weak references');
}

/** More frames are not looked at. */
const MOST_FRAMES = 200;
/** Where a frame of a function has its context, and the function; below the base. */
const CONTEXT = 1;
const FUNCTION = 2;

const framePeek = (frame: number, word: number): number => PEEK.frames + FRAME_PEEKS * frame + 2 * word;

/** Where the code goes on by which C++ called the functions that run. */
function outerCode(read: ReadChain): number {
  for (let frame = 0; frame < MOST_FRAMES; frame++) {
    const type = peek(read, framePeek(frame, CONTEXT));
    if (ENTRY_TYPES.includes(type)) return peek(read, framePeek(frame, 0));
  }
  throw new PlacingRefused('the stack has too many frames');
}

/** The mapping that an address is in. @throws PlacingRefused */
function mappingOf(all: readonly Mapping[], address: number): Mapping {
  const found = all.find(({ from, to }) => from <= address && address < to);
  if (found === undefined) throw new PlacingRefused('V8 runs code that is in no mapping');
  return found;
}

/**
 * The memory around an address, without a gap, that was mapped from no file: V8 reserves it for what it compiles, and has copies
 * of the code that came with it there, mapped from its file.
 */
function anonymousAround(all: readonly Mapping[], address: number): MemoryRange {
  const own = mappingOf(all, address);
  if (own.inode !== 0) throw new PlacingRefused('V8 has compiled code in a file');
  let { from, to } = own;
  const at = all.indexOf(own);
  for (let i = at - 1; i >= 0 && all[i]!.to === from && all[i]!.inode === 0; i--) from = all[i]!.from;
  for (let i = at + 1; i < all.length && all[i]!.from === to && all[i]!.inode === 0; i++) to = all[i]!.to;
  return { from, to };
}

/** The words of an interpreted function's frame that have the bytecode, and the place in it. */
const BYTECODE = 4;
const OFFSET = 5;

/** After so many calls V8 has compiled a function, if it ever does. */
const MOST_CALLS = 100_000;

/** The function's frame is one of so many. */
const CALL_FRAMES = 3;

/** Where a function goes on after a call when it is interpreted, and when it is compiled. */
function codeOfFunctions(
  read: ReadChain,
  { newPeek }: ChainRealm,
  isBuiltIn: (address: number) => boolean,
): { interpreter: number; compiledCode: number } {
  const peekAll = newPeek();
  let interpreter: number | undefined;
  let compiledCode: number | undefined;
  for (let i = 0; i < MOST_CALLS; i++) {
    const own = peek(read, PEEK.address, peekAll);
    // What V8 has for calls of WebAssembly may have frames of its own before the function's.
    const halves = peekAll(read, framePeek(i % CALL_FRAMES, 0));
    const word = (at: number): number => joined(halves[2 * at]!, halves[2 * at + 1]!);
    if (word(FUNCTION) !== own) continue;
    const isPlace = halves[2 * OFFSET] === 0 && halves[2 * OFFSET + 1]! > 0;
    if (word(BYTECODE) % 2 === 1 && isPlace) interpreter ??= word(0);
    else if (!isBuiltIn(word(0))) compiledCode ??= word(0);
    if (interpreter !== undefined && compiledCode !== undefined) return { interpreter, compiledCode };
  }
  throw new PlacingRefused(`V8 does not ${interpreter === undefined ? 'interpret' : 'compile'} functions`);
}
