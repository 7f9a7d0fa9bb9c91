import { ELF_ABIS, type NativeMachine } from '../machines/elf-abis.js';

const BASE = 0x400000;
const HEADER_BYTES = 64;
const SEGMENT_BYTES = 56;
const CODE = HEADER_BYTES + SEGMENT_BYTES;
const PAGE = 0x1000;

/** Numbers of the ELF format. */
const ET_EXEC = 2;
const PT_LOAD = 1;
const READ_EXECUTE = 5;

/** Where the code of an executable begins. */
export const EXECUTABLE_TEXT = BASE + CODE;

/**
 * Writes an executable (ELF, 64 bits) that needs no other file: one segment with the code, which begins at its first instruction.
 */
export function writeExecutable(machine: NativeMachine, text: Uint8Array): Uint8Array {
  const file = new Uint8Array(CODE + text.length);
  const view = new DataView(file.buffer);
  const put = (at: number, value: number): void => view.setBigUint64(at, BigInt(value), true);
  // 64 bits, little-endian, version 1.
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  view.setUint16(16, ET_EXEC, true);
  view.setUint16(18, ELF_ABIS[machine].number, true);
  view.setUint32(20, 1, true);
  put(24, EXECUTABLE_TEXT);
  put(32, HEADER_BYTES);
  view.setUint16(52, HEADER_BYTES, true);
  view.setUint16(54, SEGMENT_BYTES, true);
  view.setUint16(56, 1, true);
  view.setUint32(HEADER_BYTES, PT_LOAD, true);
  view.setUint32(HEADER_BYTES + 4, READ_EXECUTE, true);
  put(HEADER_BYTES + 16, BASE);
  put(HEADER_BYTES + 24, BASE);
  put(HEADER_BYTES + 32, file.length);
  put(HEADER_BYTES + 40, file.length);
  put(HEADER_BYTES + 48, PAGE);
  file.set(text, CODE);
  return file;
}
