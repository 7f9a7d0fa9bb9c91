import { added, type MemoryRange, mappings, OwnMemory, PlacingRefused } from './own-memory.js';
import { PROCESSORS, type Processor } from './processors.js';
import { functionModule, NAME, randomConstants, type WasmApi, type WasmFunction, type WasmModule } from './wasm-function.js';

/** A function whose machine code takes the place of what V8 makes of it. */
export interface FunctionToPlace<F> {
  readonly wasm: WasmFunction;
  /** By process.arch. It calls nothing, and uses no memory of the stack. */
  readonly codes: Readonly<Record<string, Uint8Array>>;
  /** Whether the function does what V8 compiled. */
  isCompiled(call: F): boolean;
  /** Whether it does what was written over that. */
  isPlaced(call: F): boolean;
}

/** A function of this thread, and the module by which other threads get it too. */
export interface FunctionInPlace<F> {
  readonly module: WasmModule;
  readonly call: F;
  /** Where its machine code begins. */
  readonly address: number;
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
/** How often the code is looked for: V8 may make better code of the function meanwhile, if an option says so. */
const ATTEMPTS = 3;

/** Memory that was not mapped from a file and may be run. */
const executable = (): MemoryRange[] =>
  mappings().filter(({ isCode, inode, name }) => isCode && inode === 0 && (name === '' || name.startsWith('[anon')));

/** What is looked for. */
interface Wanted {
  readonly processor: Processor;
  readonly code: Uint8Array;
  readonly constants: readonly number[];
}

/**
 * Has V8 compile the function, and replaces its machine code, so that whatever replaces that later (a debugger does) does what
 * was compiled. Takes about a millisecond.
 * @param wasm what the thread has as `WebAssembly`
 * @throws PlacingRefused
 */
export function placeFunction<F>(wasm: WasmApi | undefined, toPlace: FunctionToPlace<F>): FunctionInPlace<F> {
  const processor = PROCESSORS[process.arch];
  const code = toPlace.codes[process.arch];
  if (processor === undefined || code === undefined) throw new PlacingRefused(`fentry has no code for it on ${process.arch}`);
  if (wasm === undefined) throw new PlacingRefused('the process has no WebAssembly');
  const wanted = { processor, code, constants: randomConstants() };
  const memory = new OwnMemory();
  try {
    const before = executable();
    const { module, call } = compile(wasm, toPlace, wanted.constants);
    let last: number | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const parts = added(executable(), before).filter(({ from, to }) => to - from <= MOST_BYTES);
      // What was written over is found no more.
      const [address = last] = parts.flatMap((part) => replaceIn(memory, wanted, part));
      if (address === undefined) throw new PlacingRefused('the code that V8 made was not found in memory');
      if (toPlace.isPlaced(call)) return { module, call, address };
      last = address;
    }
    throw new PlacingRefused('V8 does not run the code that was written');
  } finally {
    memory.close();
  }
}

/** The function as V8 compiles it, when it is first called. */
function compile<F>(
  { Module, Instance }: WasmApi,
  { wasm, isCompiled }: FunctionToPlace<F>,
  constants: readonly number[],
): Pick<FunctionInPlace<F>, 'module' | 'call'> {
  try {
    const module = new Module(functionModule(wasm, constants));
    const call = new Instance(module).exports[NAME] as F;
    if (!isCompiled(call)) throw new Error('it does something else');
    return { module, call };
  } catch (error) {
    throw new PlacingRefused(`V8 does not compile WebAssembly: ${(error as Error).message}`);
  }
}

/** Replaces what is found in a part of the memory. Returns the addresses. */
function replaceIn(memory: OwnMemory, wanted: Wanted, part: MemoryRange): number[] {
  const found = findFunctions(wanted, memory.read(part)).map((at) => part.from + at);
  for (const address of found) memory.write(wanted.code, address);
  return found;
}

/**
 * Where machine code of the function begins in the bytes: it has the constants in their order, and calls reach it by a jump in a
 * table of the module, which V8 puts into the same part.
 */
function findFunctions({ processor, code, constants }: Wanted, bytes: Buffer): number[] {
  const [first = 0] = constants;
  const found: number[] = [];
  for (let at = processor.find(bytes, first, 0); at >= 0; at = processor.find(bytes, first, at + 1)) {
    const from = jumpTarget(processor, bytes, at);
    if (from === undefined) continue;
    const body = bytes.subarray(from, from + MOST_CODE);
    let last = -1;
    const isBody = constants.slice(0, WANTED).every((constant) => {
      last = processor.find(body, constant, last + 1);
      return last >= 0;
    });
    const whole = processor.find(body, constants.at(-1)!, last + 1);
    if (isBody && whole >= code.length) found.push(from);
  }
  return found;
}

/**
 * The nearest beginning of a function before `at` to which a jump leads. Others are the function's own jumps: a debugger has it
 * compiled with some that lead back.
 */
function jumpTarget(processor: Processor, bytes: Buffer, at: number): number | undefined {
  const begins = (place: number): boolean =>
    processor.beginnings.some((known) => bytes.subarray(place, place + known.length).equals(known));
  let nearest: number | undefined;
  for (let jump = 0; jump <= bytes.length - JUMP_BYTES; jump++) {
    const target = processor.target(bytes, jump) ?? -1;
    const isNear = target <= at && target > at - PROLOGUE && target > (nearest ?? -1);
    if (isNear && target % ALIGNMENT === 0 && begins(target)) nearest = target;
  }
  return nearest;
}
