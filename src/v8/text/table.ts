import { TextDecoder, TextEncoder } from 'node:util';
import type { JsFunction } from '../js-text.js';

/** The stored form of a source's function table: only the control thread reads it. */
export function encodeTable(functions: readonly JsFunction[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(functions));
}

/** Reads what `encodeTable` made. Throws SyntaxError on damage. */
export function decodeTable(bytes: Uint8Array): JsFunction[] {
  return JSON.parse(new TextDecoder().decode(bytes)) as JsFunction[];
}
