import { ofHex } from '../machine-code/processors.js';
import { OP, TYPE, type WasmFunction } from '../machine-code/wasm-function.js';

/**
 * The function that reads the frames of its thread's stack, and looks for them in a table of those that were seen before. Its
 * machine code reads memory of the stack through the chain of frame pointers, the block that it is given, and words of the
 * sentinel; it writes to the block alone.
 *
 * A key is made of the innermost functions: of code that V8 has compiled, the address at which it goes on, which tells the place
 * in the text, inlined functions too; of bytecode, that and the place in it. Others count with their addresses.
 * @param block the address of a block, or less than 4096: what to peek at
 * @param sentinel changed by each garbage collection
 * @returns the number of the entry that has the chain; NOTHING; COLLECTED; the outermost function of a chain that no entry has;
 * null: not placed
 */
export type ReadChain = (block: number, sentinel: object | null) => number | AnyFunction | null;

export type AnyFunction = (...args: never[]) => unknown;

/** No function was found whose place is known. */
export const NOTHING = -1;
/** The sentinel has changed: code may have moved, or be another's. */
export const COLLECTED = -2;

/** Words of 8 bytes in a block. */
export const BLOCK = {
  /** The address of the sentinel, and how many entries its table has, as V8 has numbers. */
  SENTINEL: 0,
  COUNT: 1,
  /** Where the code is that V8 compiles, and the code that came with V8: the first address, and the size in bytes. */
  COMPILED: 2,
  BUILT_IN: 4,
  /** Where functions go on that are interpreted. */
  INTERPRETER: 6,
  /** How many functions make a key. */
  WANTED: 7,
  /** The last chain’s place in the table, its length (in bytes, and 16 words more), and how many functions it has. */
  PLACE: 8,
  LENGTH: 9,
  FOUND: 10,
  /** The chain’s words; the changed sentinel, as above. */
  CHAIN: 16,
  /** The entries: the length, and the words of the chain. */
  TABLE: 128,
} as const;
/** Entries of the table, and the words of each. */
export const ENTRIES = 256;
export const ENTRY_WORDS = 32;
export const BLOCK_BYTES = (BLOCK.TABLE + ENTRIES * ENTRY_WORDS) * 8;

/** What can be peeked at, twice: the lower half of a word, and behind it the higher one. */
export const PEEK = {
  /** The words of the object; at most so many as it has. */
  object: 0,
  /** The object’s address. */
  address: 31 * 2,
  /** The words of what its fourth word leads to. */
  table: 32 * 2,
  /** 8 for each frame, innermost first: where it goes on, and the words below its base. */
  frames: 64 * 2,
} as const;
export const FRAME_PEEKS = 8 * 2;

/** The types of the frames that C++ calls functions by, where other functions have their context. */
export const ENTRY_TYPES: readonly number[] = [2, 4];

const X64 = [
  // The block, or what is peeked at.
  'f2480f2cf9', // cvttsd2si rdi, xmm1
  '4881ff00100000', // cmp rdi, 0x1000
  '0f8282010000', // jb peek
  '488b4817', // mov rcx, [rax+0x17]
  '488b490f', // mov rcx, [rcx+0xf]
  '483b07', // cmp rax, [rdi]
  '0f854d010000', // jne gc
  '483b4f08', // cmp rcx, [rdi+0x8]
  '0f8543010000', // jne gc
  '488b1424', // mov rdx, [rsp]
  '4889e9', // mov rcx, rbp
  '4c8d8780000000', // lea r8, [rdi+0x80]
  '31db', // xor ebx, ebx
  '4531c9', // xor r9d, r9d
  '488b7738', // mov rsi, [rdi+0x38]
  '49bb157c4a7fb979379e', // movabs r11, 0x9e3779b97f4a7c15
  // A frame, innermost first: rdx is where it goes on, rcx its base. Where its context would be, frames of V8 have their type.
  '488b41f8', // mov rax, [rcx-0x8]
  '4989d2', // mov r10, rdx
  '4c2b5710', // sub r10, [rdi+0x10]
  '4c3b5718', // cmp r10, [rdi+0x18]
  '7350', // jae other
  'a801', // test al, 0x1
  '0f84af000000', // je stop
  '4c8b49f0', // mov r9, [rcx-0x10]
  '498910', // mov [r8], rdx
  '4983c008', // add r8, 0x8
  '4801d3', // add rbx, rdx
  '490fafdb', // imul rbx, r11
  '48ffce', // dec rsi
  '0f849f000000', // je done
  // The next one, if there is room for it and it is farther out on the same stack.
  '488d8758010000', // lea rax, [rdi+0x158]
  '4939c0', // cmp r8, rax
  '0f8784000000', // ja stop
  '488b01', // mov rax, [rcx]
  '488b5108', // mov rdx, [rcx+0x8]
  '4989c2', // mov r10, rax
  '4929ca', // sub r10, rcx
  '7675', // jbe stop
  '4981fa00001000', // cmp r10, 0x100000
  '776c', // ja stop
  '4889c1', // mov rcx, rax
  'eb9f', // jmp frame
  // A frame of code that came with V8 is passed over, unless C++ called it.
  'a801', // test al, 0x1
  '7529', // jne bytecode
  '4989d2', // mov r10, rdx
  '4c2b5720', // sub r10, [rdi+0x20]
  '4c3b5728', // cmp r10, [rdi+0x28]
  '7356', // jae stop
  '4883e802', // sub rax, 0x2
  '48a9fdffffff', // test rax, 0xfffffffffffffffd
  '744a', // je stop
  '498910', // mov [r8], rdx
  '4983c008', // add r8, 0x8
  '4801d3', // add rbx, rdx
  '490fafdb', // imul rbx, r11
  'eba6', // jmp next
  // A function that is interpreted is told by its bytecode and the place in it.
  '483b5730', // cmp rdx, [rdi+0x30]
  '7534', // jne stop
  '4c8b49f0', // mov r9, [rcx-0x10]
  '498910', // mov [r8], rdx
  '488b41e0', // mov rax, [rcx-0x20]
  '49894008', // mov [r8+0x8], rax
  '4801c3', // add rbx, rax
  '490fafdb', // imul rbx, r11
  '488b41d8', // mov rax, [rcx-0x28]
  '49894010', // mov [r8+0x10], rax
  '4801c3', // add rbx, rax
  '490fafdb', // imul rbx, r11
  '4983c018', // add r8, 0x18
  '48ffce', // dec rsi
  '0f856effffff', // jne next
  'eb0b', // jmp done
  // Nothing is known of what follows.
  '49c70000000000', // mov [r8], 0x0
  '4983c008', // add r8, 0x8
  // Looks into the table.
  '488b4738', // mov rax, [rdi+0x38]
  '4829f0', // sub rax, rsi
  '48894750', // mov [rdi+0x50], rax
  '4929f8', // sub r8, rdi
  '4c894748', // mov [rdi+0x48], r8
  '48c1eb38', // shr rbx, 0x38
  '48895f40', // mov [rdi+0x40], rbx
  '4889da', // mov rdx, rbx
  '48c1e208', // shl rdx, 0x8
  '488d941700040000', // lea rdx, [rdi+rdx+0x400]
  '4c3b02', // cmp r8, [rdx]
  '7538', // jne miss
  '4a8b4407f8', // mov rax, [rdi+r8-0x8]
  '4a3b440280', // cmp rax, [rdx+r8-0x80]
  '752c', // jne miss
  '4983e808', // sub r8, 0x8
  '4981f880000000', // cmp r8, 0x80
  '77e7', // ja same
  '4889d8', // mov rax, rbx
  'e988000000', // jmp number
  // The sentinel has changed.
  '48898780000000', // mov [rdi+0x80], rax
  '48898f88000000', // mov [rdi+0x88], rcx
  '48c7c0feffffff', // mov rax, 0xfffffffffffffffe
  'eb71', // jmp number
  // Returns the outermost function, or -1.
  '4c89c8', // mov rax, r9
  '4885c0', // test rax, rax
  '756d', // jne return
  '48ffc8', // dec rax
  'eb64', // jmp number
  // Returns half a word: of a frame,
  '89f9', // mov ecx, edi
  'd1e9', // shr ecx, 1
  '83f920', // cmp ecx, 0x20
  '7239', // jb object
  '83f940', // cmp ecx, 0x40
  '7240', // jb table
  '4189c8', // mov r8d, ecx
  '4183e007', // and r8d, 0x7
  '83e940', // sub ecx, 0x40
  'c1e903', // shr ecx, 0x3
  '488b1424', // mov rdx, [rsp]
  '4989e9', // mov r9, rbp
  '85c9', // test ecx, ecx
  '740b', // je found
  '498b5108', // mov rdx, [r9+0x8]
  '4d8b09', // mov r9, [r9]
  'ffc9', // dec ecx
  'ebf1', // jmp outer
  '4889d0', // mov rax, rdx
  '4585c0', // test r8d, r8d
  '7421', // je half
  '49f7d8', // neg r8
  '4b8b04c1', // mov rax, [r9+r8*8]
  'eb18', // jmp half
  // of the object,
  '83f91f', // cmp ecx, 0x1f
  '7413', // je half
  '488b44c8ff', // mov rax, [rax+rcx*8-0x1]
  'eb0c', // jmp half
  // or of what its fourth word leads to.
  '488b4017', // mov rax, [rax+0x17]
  '488b84c8fffeffff', // mov rax, [rax+rcx*8-0x101]
  '40f6c701', // test dil, 0x1
  '7404', // je number
  '48c1e820', // shr rax, 0x20
  // As a small integer.
  '48c1e020', // shl rax, 0x20
  'c3', // ret
];

/** By process.arch. */
export const CHAIN_CODES: Readonly<Record<string, Uint8Array>> = { x64: ofHex(X64.join('')) };

/** `read: (f64, externref) -> externref`, which returns null. */
export const CHAIN: WasmFunction = {
  params: [TYPE.f64, TYPE.externref],
  result: TYPE.externref,
  body: [OP.refNull, TYPE.externref],
  branch: () => [OP.unreachable],
};
