import { ofHex } from '../machine-code/processors.js';
import { OP, TYPE, type WasmFunction } from '../machine-code/wasm-function.js';

/**
 * The function that reads the processor's cycle counter, as WebAssembly and as the machine code that takes the place of what V8
 * makes of it.
 */

/** What the function returns unless its machine code was replaced: no counter is below 0. */
export const NOT_READ = -1;

/** By process.arch: returns the counter as a double, without a frame of its own. */
export const COUNTER_CODES: Readonly<Record<string, Uint8Array>> = {
  // rdtsc; shl rdx, 32; or rax, rdx; xorps xmm1, xmm1; cvtsi2sd xmm1, rax; ret
  x64: ofHex('0f31 48c1e220 4809d0 0f57c9 f2480f2ac8 c3'),
  // mrs x0, cntvct_el0; scvtf d0, x0; ret
  arm64: ofHex('40e03bd5 0000629e c0035fd6'),
};

const double = (n: number): Uint8Array => new Uint8Array(new Float64Array([n]).buffer);

/** `read: () -> f64`, which returns NOT_READ. */
export const COUNTER: WasmFunction = {
  params: [],
  result: TYPE.f64,
  body: [OP.f64Const, ...double(NOT_READ)],
  branch: (index) => [OP.f64Const, ...double(NOT_READ - index), OP.return],
};
