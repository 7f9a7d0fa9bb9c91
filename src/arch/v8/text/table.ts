import { TextDecoder, TextEncoder } from 'node:util';
import type { TextFunction } from '../../arch.js';

/** The stored form of a source's function table: the control thread's to read, never the program's thread's. */
export function encodeTable(functions: readonly TextFunction[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(functions));
}

/** Reads what `encodeTable` made. Throws SyntaxError on damage. */
export function decodeTable(bytes: Uint8Array): TextFunction[] {
  return JSON.parse(new TextDecoder().decode(bytes)) as TextFunction[];
}
