/** A compiled module, which threads pass to each other. */
export type WasmModule = object & { readonly wasm?: never };
/** The global object's `WebAssembly`, which a program may replace, and an option of V8's leave out. */
export interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule) => { readonly exports: { readonly [NAME]: unknown } };
}

/** The name that a module exports its function by. */
export const NAME = 'read';

/** Types of WebAssembly. */
export const TYPE = { i32: 0x7f, f64: 0x7c, externref: 0x6f, none: 0x40, function: 0x60 } as const;
/** Opcodes. */
export const OP = {
  unreachable: 0x00,
  if: 0x04,
  end: 0x0b,
  return: 0x0f,
  globalGet: 0x23,
  i32Const: 0x41,
  f64Const: 0x44,
  i32Eq: 0x46,
  refNull: 0xd0,
} as const;

const SECTION = { custom: 0, type: 1, function: 3, global: 6, export: 7, code: 10 } as const;
const MAGIC = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** What a function looks like to WebAssembly, and what it does unless its machine code was replaced. */
export interface WasmFunction {
  readonly params: readonly number[];
  readonly result: number;
  /** The last instructions: they leave the result. */
  readonly body: readonly number[];
  /** Instructions that end the function, or leave nothing, unlike those of another index. */
  readonly branch: (index: number) => readonly number[];
}

const unsigned = (n: number): number[] => (n < 0x80 ? [n] : [(n & 0x7f) | 0x80, ...unsigned(n >>> 7)]);
const signed = (n: number): number[] => (n >= -0x40 && n < 0x40 ? [n & 0x7f] : [(n & 0x7f) | 0x80, ...signed(n >> 7)]);
const name = (text: string): number[] => [text.length, ...Buffer.from(text)];
const section = (id: number, bytes: readonly number[]): number[] => [id, ...unsigned(bytes.length), ...bytes];

/** So many that the function is too large to be inlined: a body that is part of another function cannot be replaced. */
const CONSTANTS = 64;

/** Random constants of 30 bits, by which the code that V8 makes of a function is found: another thread's has others. */
export const randomConstants = (): readonly number[] =>
  Array.from({ length: CONSTANTS }, () => 0x10000000 + Math.floor(Math.random() * 0x2fffffff));

/**
 * A module that exports the function. Its body compares a variable with the constants first.
 * @param constants unlike those of any other module of the process: V8 would give equal ones the same machine code
 */
export function functionModule({ params, result, body, branch }: WasmFunction, constants: readonly number[]): Uint8Array {
  const compared = constants.flatMap((constant, index) => [
    ...[OP.globalGet, 0, OP.i32Const, ...signed(constant), OP.i32Eq, OP.if, TYPE.none],
    ...[...branch(index), OP.end],
  ]);
  const code = [0, ...compared, ...body, OP.end];
  return Uint8Array.from([
    ...MAGIC,
    ...section(SECTION.type, [1, TYPE.function, params.length, ...params, 1, result]),
    ...section(SECTION.function, [1, 0]),
    ...section(SECTION.global, [1, TYPE.i32, 1, OP.i32Const, 0, OP.end]),
    ...section(SECTION.export, [1, ...name(NAME), 0, 0]),
    ...section(SECTION.code, [1, ...unsigned(code.length), ...code]),
    ...section(SECTION.custom, name('fentry')),
  ]);
}
