import { ELF_ABIS, type NativeMachine } from '../machines/elf-abis.js';

const PAGE = 0x1000;
/** The pages: what the dynamic linker reads; what it writes; the code. */
const DATA = PAGE;
const CODE = 2 * PAGE;

const HEADER_BYTES = 64;
const SEGMENT_BYTES = 56;
const SYMBOL_BYTES = 24;
const RELOCATION_BYTES = 24;
const DYNAMIC_BYTES = 16;

/** Numbers of the ELF format. */
const ET_DYN = 3;
const SEGMENT = { LOAD: 1, DYNAMIC: 2, STACK: 0x6474e551 } as const;
const FLAG = { X: 1, W: 2, R: 4 } as const;
const TAG = { HASH: 4, STRTAB: 5, SYMTAB: 6, RELA: 7, RELASZ: 8, RELAENT: 9, STRSZ: 10, SYMENT: 11, INIT: 12, NULL: 0 } as const;
const GLOBAL_FUNCTION = 0x12;
const SOME_SECTION = 1;

/** Segments: all of them are in the file at the offset that is their address. */
interface Segment {
  readonly type: number;
  readonly flags: number;
  readonly start: number;
  readonly bytes: number;
}

/** The text of a shared object, and what it gives and takes. */
export interface SharedObjectParts {
  readonly machine: NativeMachine;
  /** Functions of the process that loads it. */
  readonly imports: readonly string[];
  /** The addresses of the functions that it offers, by their names. */
  readonly offered: Readonly<Record<string, number>>;
  /** The name of an offered function that the dynamic linker calls when it has loaded the object. */
  readonly init?: string | undefined;
  /** Machine code for SHARED_OBJECT_TEXT that is independent of its place. */
  readonly text: Uint8Array;
}

/** Where the text of a shared object begins, counted from the object's own beginning. */
export const SHARED_OBJECT_TEXT = CODE;

/** Where the word is that the dynamic linker fills with the address of an imported function, by its index. */
export const importedWordAt = (index: number): number => DATA + index * 8;

/**
 * Writes a shared object (ELF, 64 bits) that the dynamic linker can load: no sections, an import for each function that it calls.
 * It needs no compiler and no linker.
 */
export function writeSharedObject({ machine, imports, offered, init, text }: SharedObjectParts): Uint8Array {
  const names = [...imports, ...Object.keys(offered)];
  const addresses = [...imports.map(() => 0), ...Object.values(offered)];
  const strings = new TextEncoder().encode(`\0${names.map((name) => `${name}\0`).join('')}`);

  const segmentCount = 5;
  const symbols = HEADER_BYTES + segmentCount * SEGMENT_BYTES;
  const hash = symbols + (names.length + 1) * SYMBOL_BYTES;
  const relocations = align8(hash + (3 + names.length + 1) * 4);
  const stringTable = relocations + imports.length * RELOCATION_BYTES;
  const readOnlyEnd = stringTable + strings.length;
  if (readOnlyEnd > DATA) throw new RangeError(`${names.length} names do not fit into a page`);

  const dynamic: (readonly [tag: number, value: number])[] = [
    [TAG.HASH, hash],
    [TAG.STRTAB, stringTable],
    [TAG.SYMTAB, symbols],
    [TAG.STRSZ, strings.length],
    [TAG.SYMENT, SYMBOL_BYTES],
    [TAG.RELA, relocations],
    [TAG.RELASZ, imports.length * RELOCATION_BYTES],
    [TAG.RELAENT, RELOCATION_BYTES],
  ];
  if (init !== undefined) dynamic.push([TAG.INIT, offered[init]!]);
  dynamic.push([TAG.NULL, 0]);
  const dynamicStart = DATA + imports.length * 8;
  const dynamicBytes = dynamic.length * DYNAMIC_BYTES;
  const segments: readonly Segment[] = [
    { type: SEGMENT.LOAD, flags: FLAG.R, start: 0, bytes: readOnlyEnd },
    { type: SEGMENT.LOAD, flags: FLAG.R | FLAG.W, start: DATA, bytes: dynamicStart + dynamicBytes - DATA },
    { type: SEGMENT.LOAD, flags: FLAG.R | FLAG.X, start: CODE, bytes: text.length },
    { type: SEGMENT.DYNAMIC, flags: FLAG.R | FLAG.W, start: dynamicStart, bytes: dynamicBytes },
    { type: SEGMENT.STACK, flags: FLAG.R | FLAG.W, start: 0, bytes: 0 },
  ];

  const file = new Uint8Array(CODE + text.length);
  const view = new DataView(file.buffer);
  const { number, globalData } = ELF_ABIS[machine];
  writeHeader(file, view, number, segmentCount);
  for (const [i, segment] of segments.entries()) writeSegment(view, HEADER_BYTES + i * SEGMENT_BYTES, segment);
  let nameAt = 1;
  for (const [i, name] of names.entries()) {
    const symbol = symbols + (i + 1) * SYMBOL_BYTES;
    view.setUint32(symbol, nameAt, true);
    view.setUint8(symbol + 4, GLOBAL_FUNCTION);
    view.setUint16(symbol + 6, i < imports.length ? 0 : SOME_SECTION, true);
    putAddress(view, symbol + 8, addresses[i]!);
    nameAt += name.length + 1;
  }
  // One bucket: a chain of all symbols.
  view.setUint32(hash, 1, true);
  view.setUint32(hash + 4, names.length + 1, true);
  view.setUint32(hash + 8, 1, true);
  for (let i = 1; i <= names.length; i++) view.setUint32(hash + 12 + i * 4, i === names.length ? 0 : i + 1, true);
  for (let i = 0; i < imports.length; i++) {
    const relocation = relocations + i * RELOCATION_BYTES;
    putAddress(view, relocation, importedWordAt(i));
    view.setUint32(relocation + 8, globalData, true);
    view.setUint32(relocation + 12, i + 1, true);
  }
  file.set(strings, stringTable);
  for (const [i, [tag, value]] of dynamic.entries()) {
    putAddress(view, dynamicStart + i * DYNAMIC_BYTES, tag);
    putAddress(view, dynamicStart + i * DYNAMIC_BYTES + 8, value);
  }
  file.set(text, CODE);
  return file;
}

function writeHeader(file: Uint8Array, view: DataView, machine: number, segments: number): void {
  // 64 bits, little-endian, version 1.
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  view.setUint16(16, ET_DYN, true);
  view.setUint16(18, machine, true);
  view.setUint32(20, 1, true);
  putAddress(view, 32, HEADER_BYTES);
  view.setUint16(52, HEADER_BYTES, true);
  view.setUint16(54, SEGMENT_BYTES, true);
  view.setUint16(56, segments, true);
  view.setUint16(58, 64, true);
}

function writeSegment(view: DataView, offset: number, { type, flags, start, bytes }: Segment): void {
  view.setUint32(offset, type, true);
  view.setUint32(offset + 4, flags, true);
  for (const field of [8, 16, 24]) putAddress(view, offset + field, start);
  for (const field of [32, 40]) putAddress(view, offset + field, bytes);
  putAddress(view, offset + 48, type === SEGMENT.LOAD ? PAGE : 8);
}

const align8 = (offset: number): number => Math.ceil(offset / 8) * 8;

const putAddress = (view: DataView, offset: number, value: number): void => view.setBigUint64(offset, BigInt(value), true);
