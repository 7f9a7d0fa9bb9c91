/** Mixes blocks of bytes into four words. */
export interface BlockMixer {
  /** The mixer's memory: the words, then the blocks. */
  readonly memory: ArrayBuffer;
  /** Mixes the blocks before this byte of the memory into the words. */
  readonly mix: (end: number) => void;
}

/** Bytes of a block, and of the four words before the first one. */
export const BLOCK_BYTES = 16;
const MEMORY_BYTES = 1 << 16;

/** Odd, so that a multiplication can be undone. */
const FACTORS = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f] as const;
const SHIFT = 15;

const { imul } = Math;
/** Taken before the program may put its own in its place; absent where V8 makes no machine code. */
const { WebAssembly } = globalThis as unknown as { WebAssembly?: WebAssemblyApi };

interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => { readonly exports: { readonly memory: { readonly buffer: ArrayBuffer }; readonly mix: BlockMixer['mix'] } };
}

/**
 * In JavaScript, where there is no WebAssembly. Of a block with its words: the sum with the words is multiplied, its high bits
 * reach the low ones, each word is added to the next one, and the words change places.
 */
export const plainMixer = (): BlockMixer => {
  const words = new Int32Array(MEMORY_BYTES / 4);
  return {
    memory: words.buffer,
    mix(end) {
      let [a, b, c, d] = words as unknown as [number, number, number, number];
      for (let i = BLOCK_BYTES / 4; i < end / 4; i += BLOCK_BYTES / 4) {
        a = imul(a ^ (words[i] as number), FACTORS[0]);
        b = imul(b ^ (words[i + 1] as number), FACTORS[1]);
        c = imul(c ^ (words[i + 2] as number), FACTORS[2]);
        d = imul(d ^ (words[i + 3] as number), FACTORS[3]);
        a ^= a >>> SHIFT;
        b ^= b >>> SHIFT;
        c ^= c >>> SHIFT;
        d ^= d >>> SHIFT;
        const first = a;
        a = (b + a) | 0;
        b = (c + b) | 0;
        c = (d + c) | 0;
        d = first;
      }
      words.set([a, b, c, d]);
    },
  };
};

/** `mix` as a WebAssembly module: what plainMixer does, with the four words as one vector. */
const moduleBytes = (): Uint8Array =>
  // biome-ignore format: a line for each instruction
  new Uint8Array([
    // "\0asm", version 1
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    // (type (func (param $end i32))), (func (type 0)), (memory 1)
    1, 5, 1, 0x60, 1, 0x7f, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1,
    // (export "memory" (memory 0)) (export "mix" (func 0))
    7, 0x10, 2, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0, 3, 0x6d, 0x69, 0x78, 0, 0,
    // The code: its bytes, one function, its bytes
    0xa, 0xa3, 1, 1, 0xa0, 1,
    // (local $at i32) (local $words v128)
    2, 1, 0x7f, 1, 0x7b,
    // (local.set $words (v128.load (i32.const 0)))
    0x41, 0, 0xfd, 0, 0, 0, 0x21, 2,
    // (local.set $at (i32.const 16))
    0x41, 0x10, 0x21, 1,
    // (block (br_if 0 (i32.ge_u (local.get $at) (local.get $end)))
    2, 0x40, 0x20, 1, 0x20, 0, 0x4f, 0xd, 0,
    // (loop
    3, 0x40,
    // (v128.xor (local.get $words) (v128.load (local.get $at)))
    0x20, 2, 0x20, 1, 0xfd, 0, 0, 0, 0xfd, 0x51,
    // (local.tee $words (i32x4.mul ... (v128.const i32x4 FACTORS)))
    0xfd, 0xc, 0xb1, 0x79, 0x37, 0x9e, 0x6b, 0xca, 0xeb, 0x85, 0x35, 0xae, 0xb2, 0xc2, 0x2f, 0xeb, 0xd4, 0x27, 0xfd, 0xb5, 1, 0x22, 2,
    // (local.set $words (v128.xor ... (i32x4.shr_u (local.get $words) (i32.const SHIFT))))
    0x20, 2, 0x41, 0xf, 0xfd, 0xad, 1, 0xfd, 0x51, 0x21, 2,
    // The words of which each is followed by its neighbour: (i8x16.shuffle [1, 2, 3, 0] (local.get $words) (local.get $words))
    0x20, 2, 0x20, 2, 0xfd, 0xd, 4, 5, 6, 7, 8, 9, 0xa, 0xb, 0xc, 0xd, 0xe, 0xf, 0, 1, 2, 3,
    // (i8x16.shuffle [0, 1, 2, zero] (local.get $words) (v128.const i32x4 0 0 0 0))
    0x20, 2, 0xfd, 0xc, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xfd, 0xd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xa, 0xb, 0x10, 0x11, 0x12, 0x13,
    // (local.set $words (i32x4.add ... ...))
    0xfd, 0xae, 1, 0x21, 2,
    // (br_if 0 (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
    0x20, 1, 0x41, 0x10, 0x6a, 0x22, 1, 0x20, 0, 0x49, 0xd, 0, 0xb, 0xb,
    // (v128.store (i32.const 0) (local.get $words))
    0x41, 0, 0x20, 2, 0xfd, 0xb, 0, 0, 0xb,
  ]);

/** In WebAssembly: fast from its first call on, where V8 would have to find out first that it should optimize JavaScript. */
export const blockMixer = (): BlockMixer => {
  try {
    const { memory, mix } = new WebAssembly!.Instance(new WebAssembly!.Module(moduleBytes())).exports;
    return { memory: memory.buffer, mix };
  } catch {
    // --jitless, a processor without such vectors, or a process that may not have so much address space.
    return plainMixer();
  }
};
