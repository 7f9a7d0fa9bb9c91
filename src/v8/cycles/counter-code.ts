/**
 * The function that reads the processor's cycle counter, as WebAssembly and as the machine code that takes the place of what V8
 * makes of it.
 *
 * V8 compiles `read: () -> f64`, whose body compares a variable with constants, by which its machine code is found, and returns
 * NOT_READ. Then the first bytes of that machine code are written over. So whatever replaces the code later (a debugger does)
 * returns NOT_READ again, and never a wrong count.
 */

/** A compiled module, which threads pass to each other. */
export type WasmModule = object & { readonly wasm?: never };
/** What a module exports here. */
interface Exports {
  readonly read: () => number;
}
/** The global object's `WebAssembly`, which a program may replace, and an option of V8's leave out. */
export interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule) => { readonly exports: Exports };
}

/** What the function returns unless its machine code was replaced: no counter is below 0. */
export const NOT_READ = -1;

/** The machine code of one kind of processor. */
export interface CounterCode {
  /** What is written: returns the counter as a double, without a frame of its own. */
  readonly code: Uint8Array;
  /** Where an instruction in `bytes` uses a constant, not before `from`; -1: nowhere. */
  find(bytes: Buffer, constant: number, from: number): number;
  /** Where a jump at `at` leads, if there is one. */
  target(bytes: Buffer, at: number): number | undefined;
}

const ofHex = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

/** `jmp rel32`, and its bytes. */
const JMP = 0xe9;
const JMP_BYTES = 5;
/** The high bits of `b`; the others are the distance in words. */
const B = 0b000101;
/** The high half of a constant, `movk wN, #HIGH, lsl #16`: the register is unknown. */
const MOVK_HIGH = 0x72a00000;
const WORD_BYTES = 4;
const REGISTER_MASK = ~0x1f;

/** By process.arch. */
export const COUNTER_CODES: Readonly<Record<string, CounterCode>> = {
  x64: {
    // rdtsc; shl rdx, 32; or rax, rdx; xorps xmm1, xmm1; cvtsi2sd xmm1, rax; ret
    code: ofHex('0f31 48c1e220 4809d0 0f57c9 f2480f2ac8 c3'),
    find(bytes, constant, from) {
      const immediate = Buffer.alloc(WORD_BYTES);
      immediate.writeInt32LE(constant);
      return bytes.indexOf(immediate, from);
    },
    target: (bytes, at) => (bytes[at] === JMP ? at + JMP_BYTES + bytes.readInt32LE(at + 1) : undefined),
  },
  arm64: {
    // mrs x0, cntvct_el0; scvtf d0, x0; ret
    code: ofHex('40e03bd5 0000629e c0035fd6'),
    find(bytes, constant, from) {
      const wanted = (MOVK_HIGH | ((constant >>> 16) << 5)) >>> 0;
      for (let at = Math.ceil(from / WORD_BYTES) * WORD_BYTES; at + WORD_BYTES <= bytes.length; at += WORD_BYTES) {
        if ((bytes.readUInt32LE(at) & REGISTER_MASK) >>> 0 === wanted) return at;
      }
      return -1;
    },
    target(bytes, at) {
      const word = at % WORD_BYTES === 0 ? bytes.readUInt32LE(at) : 0;
      return word >>> 26 === B ? at + ((word << 6) >> 4) : undefined;
    },
  },
};

/** So many that the function is too large to be inlined: a body that is part of another function cannot be replaced. */
const CONSTANTS = 64;
/** Random numbers of 30 bits, both halves of which are unlike others in code. */
const random = (seed: number): number => (Math.imul(seed, 1664525) + 1013904223) & 0x3fffffff;

/** The constants of the body, in the order of the comparisons. */
export const BODY_CONSTANTS: readonly number[] = Array.from({ length: CONSTANTS }).reduce<number[]>(
  (all) => [...all, random((all.at(-1) ?? 0x2f6b) | 1)],
  [],
);

/** Opcodes and types of WebAssembly. */
const OP = { globalGet: 0x23, i32Const: 0x41, i32Eq: 0x46, if: 0x04, f64Const: 0x44, return: 0x0f, end: 0x0b } as const;
const TYPE = { i32: 0x7f, f64: 0x7c, none: 0x40, function: 0x60 } as const;
const SECTION = { custom: 0, type: 1, function: 3, global: 6, export: 7, code: 10 } as const;
const MAGIC = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

const unsigned = (n: number): number[] => (n < 0x80 ? [n] : [(n & 0x7f) | 0x80, ...unsigned(n >>> 7)]);
const signed = (n: number): number[] => (n >= -0x40 && n < 0x40 ? [n & 0x7f] : [(n & 0x7f) | 0x80, ...signed(n >> 7)]);
const double = (n: number): Uint8Array => new Uint8Array(new Float64Array([n]).buffer);
const name = (text: string): number[] => [text.length, ...Buffer.from(text)];
const section = (id: number, bytes: readonly number[]): number[] => [id, ...unsigned(bytes.length), ...bytes];

/**
 * The module that exports `read`.
 * @param serial of the modules of a process: V8 would give equal ones the same machine code
 */
export function counterModule(serial: number): Uint8Array<ArrayBuffer> {
  const compared = BODY_CONSTANTS.flatMap((constant, index) => [
    ...[OP.globalGet, 0, OP.i32Const, ...signed(constant), OP.i32Eq, OP.if, TYPE.none],
    ...[OP.f64Const, ...double(NOT_READ - index), OP.return, OP.end],
  ]);
  const body = [0, ...compared, OP.f64Const, ...double(NOT_READ), OP.end];
  return Uint8Array.from([
    ...MAGIC,
    ...section(SECTION.type, [1, TYPE.function, 0, 1, TYPE.f64]),
    ...section(SECTION.function, [1, 0]),
    ...section(SECTION.global, [1, TYPE.i32, 1, OP.i32Const, 0, OP.end]),
    ...section(SECTION.export, [1, ...name('read'), 0, 0]),
    ...section(SECTION.code, [1, ...unsigned(body.length), ...body]),
    ...section(SECTION.custom, name(`fentry ${serial}`)),
  ]);
}
