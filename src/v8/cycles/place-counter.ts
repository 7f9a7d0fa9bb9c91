import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import {
  BODY_CONSTANTS,
  COUNTER_CODES,
  type CounterCode,
  counterModule,
  NOT_READ,
  type WasmApi,
  type WasmModule,
} from './counter-code.js';

/** A function of this thread that reads the cycle counter, and the module by which other threads get it too. */
export interface PlacedCounter {
  readonly module: WasmModule;
  readonly read: () => number;
  /** Where its machine code begins, and what is there now, to its last known byte. */
  readonly address: number;
}

/** Why the counter cannot be read, in words that follow "the cycle counter is not read: ". */
export class CounterRefused extends Error {}

/** A part of the process's memory. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Memory of code is searched in ranges of at most so many bytes: V8's whole code space is larger, but not new. */
const MOST_BYTES = 4 << 20;
/** The function's machine code is not longer. */
const MOST_CODE = 16 << 10;
/** So many of the constants must be there, so that nothing else is taken for the function. */
const WANTED = 16;
/** The most bytes between a function's first byte and its first constant. */
const PROLOGUE = 256;
/** V8 has a function begin at a multiple of this. A jump has so many bytes at most. */
const ALIGNMENT = 32;
const JUMP_BYTES = 5;

/** Memory that was not mapped from a file and may be run. */
function executable(): Range[] {
  return readFileSync('/proc/self/maps', 'latin1')
    .split('\n')
    .flatMap((line) => {
      const [range = '', modes = '', , , inode, name = ''] = line.split(/\s+/);
      if (modes[2] !== 'x' || inode !== '0' || (name !== '' && !name.startsWith('[anon'))) return [];
      const [from = 0, to = 0] = range.split('-').map((hex) => Number.parseInt(hex, 16));
      return [{ from, to }];
    });
}

/** The parts of `ranges` that were in none of those before. */
function added(ranges: readonly Range[], before: readonly Range[]): Range[] {
  return before.reduce<Range[]>(
    (left, { from, to }) =>
      left.flatMap((range) =>
        [
          { from: range.from, to: Math.min(range.to, from) },
          { from: Math.max(range.from, to), to: range.to },
        ].filter((part) => part.from < part.to),
      ),
    [...ranges],
  );
}

/**
 * Where machine code of the function begins in the bytes: it has the constants in their order, and calls reach it by a jump in a
 * table of the module, which V8 puts into the same part.
 */
function findFunctions(machine: CounterCode, bytes: Buffer): number[] {
  const [first = 0] = BODY_CONSTANTS;
  const found: number[] = [];
  for (let at = machine.find(bytes, first, 0); at >= 0; at = machine.find(bytes, first, at + 1)) {
    const from = jumpTarget(machine, bytes, at);
    if (from === undefined) continue;
    const body = bytes.subarray(from, from + MOST_CODE);
    let last = -1;
    const isBody = BODY_CONSTANTS.slice(0, WANTED).every((constant) => {
      last = machine.find(body, constant, last + 1);
      return last >= 0;
    });
    if (isBody && last >= machine.code.length) found.push(from);
  }
  return found;
}

/** The nearest place before `at`, or that itself, to which a jump leads. */
function jumpTarget(machine: CounterCode, bytes: Buffer, at: number): number | undefined {
  let nearest: number | undefined;
  for (let jump = 0; jump <= bytes.length - JUMP_BYTES; jump++) {
    const target = machine.target(bytes, jump) ?? -1;
    if (target % ALIGNMENT === 0 && target <= at && target > at - PROLOGUE && target > (nearest ?? -1)) nearest = target;
  }
  return nearest;
}

const MEMORY = '/proc/self/mem';

/** Opens the process's memory for reading and writing. @throws CounterRefused */
function openMemory(): number {
  try {
    return openSync(MEMORY, 'r+');
  } catch (error) {
    throw new CounterRefused(`${MEMORY} cannot be written: ${(error as Error).message}`);
  }
}

function readAt(fd: number, { from, to }: Range): Buffer {
  const bytes = Buffer.alloc(to - from);
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
}

let serial = 0;

/** How often the code is looked for: V8 may make better code of the function meanwhile, if an option says so. */
const ATTEMPTS = 3;

/**
 * Has V8 compile the function, and replaces its machine code. Takes about a millisecond.
 * @param wasm of the thread's global object
 * @throws CounterRefused
 */
export function placeCounter(wasm: WasmApi | undefined): PlacedCounter {
  const machine = COUNTER_CODES[process.arch];
  if (machine === undefined) throw new CounterRefused(`fentry has no code for it on ${process.arch}`);
  if (wasm === undefined) throw new CounterRefused('the process has no WebAssembly');
  const fd = openMemory();
  try {
    const before = executable();
    const { module, read } = compile(wasm);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const parts = added(executable(), before).filter(({ from, to }) => to - from <= MOST_BYTES);
      const addresses = parts.flatMap((part) => replaceIn(fd, machine, part));
      const [address] = addresses;
      if (address === undefined) throw new CounterRefused('the code that V8 made was not found in memory');
      if (isCounter(read)) return { module, read, address };
    }
    throw new CounterRefused('V8 does not run the code that was written');
  } finally {
    closeSync(fd);
  }
}

function isCounter(read: () => number): boolean {
  const [first, second] = [read(), read()];
  return first > 0 && second >= first;
}

/** The function as V8 compiles it, when it is first called. */
function compile({ Module, Instance }: WasmApi): Pick<PlacedCounter, 'module' | 'read'> {
  try {
    const module = new Module(counterModule(++serial));
    const { read } = new Instance(module).exports;
    const value = read();
    if (value !== NOT_READ) throw new Error(`it returned ${value}`);
    return { module, read };
  } catch (error) {
    throw new CounterRefused(`V8 does not compile WebAssembly: ${(error as Error).message}`);
  }
}

/** Replaces what is found in a part of the memory. Returns the addresses. */
function replaceIn(fd: number, machine: CounterCode, part: Range): number[] {
  const { code } = machine;
  const found = findFunctions(machine, readAt(fd, part)).map((at) => part.from + at);
  for (const address of found) {
    try {
      writeSync(fd, code, 0, code.length, address);
    } catch (error) {
      throw new CounterRefused(`${MEMORY} cannot be written where code is: ${(error as Error).message}`);
    }
    const isThere = readAt(fd, { from: address, to: address + code.length }).equals(code);
    if (!isThere) throw new CounterRefused('what was written into memory is not there');
  }
  return found;
}
