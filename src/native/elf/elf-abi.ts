/** Bytes of a stub, with the word behind it that would have the symbol's address. */
export const STUB_BYTES = 32;
export const SLOT_AT = 16;

/** Writes a relocated value: the symbol's address with the addend, and the address of the place. */
export type Write = (bytes: Buffer, at: number, value: number, place: number) => void;

const writeInt32 = (bytes: Buffer, at: number, value: number): void => void bytes.writeInt32LE(value | 0, at);
const writeInt64 = (bytes: Buffer, at: number, value: number): void => void bytes.writeBigInt64LE(BigInt(value), at);
export const word32: Write = (bytes, at, value) => writeInt32(bytes, at, value);
export const word64: Write = (bytes, at, value) => writeInt64(bytes, at, value);
export const distance32: Write = (bytes, at, value, place) => writeInt32(bytes, at, value - place);
export const distance64: Write = (bytes, at, value, place) => writeInt64(bytes, at, value - place);

/** A relocation: of a symbol's address, or of that of the word that has it. */
export interface Relocation {
  readonly of: 'symbol' | 'slot';
  readonly write: Write;
}
export const symbol = (write: Write): Relocation => ({ of: 'symbol', write });
export const slot = (write: Write): Relocation => ({ of: 'slot', write });

/** What the ELF format leaves to each processor: its number, its relocations, the stubs of what other objects define. */
export interface ElfAbi {
  /** e_machine. */
  readonly number: number;
  /** The relocations that the loader makes of a word: it adds the object's bias, or writes a symbol's address (any of these). */
  readonly relative: number;
  readonly symbol: readonly number[];
  /** The one that makes a word of data a symbol's address (GLOB_DAT), and that of a stub's word (JUMP_SLOT). */
  readonly globalData: number;
  readonly jumpSlot: number;
  /** The relocations of code and of tables of sites, by their numbers; others leave what the object has. */
  readonly relocations: Readonly<Record<number, Relocation>>;
  /** The instructions of a stub at an address: it jumps to what its word has. */
  stub(at: number): Buffer;
}
