import { renderValue } from './render.js';
import { MAX_VALUE_BYTES, ValueText } from './value-text.js';

/** The most arguments in an entry record; further ones are left out. */
const MAX_ARGUMENTS = 12;
/** Bytes that `count` appended arguments take at most: flags, count, and a length byte with each. */
export const argumentsBytes = (count: number): number =>
  2 + (count < MAX_ARGUMENTS ? count : MAX_ARGUMENTS) * (1 + MAX_VALUE_BYTES);
/** Bytes that an appended result takes at most: flags, length, text. */
export const MAX_RESULT_BYTES = 2 + MAX_VALUE_BYTES;

/** Shown for a value that cannot be rendered (the stack is nearly full, memory is short). */
const UNRENDERED = '?';

const out = new ValueText();

function writeValue(bytes: Uint8Array, at: number, value: unknown): number {
  const start = at + 1;
  out.start(bytes, start);
  try {
    renderValue(out, value);
  } catch {
    out.start(bytes, start);
    out.add(UNRENDERED);
  }
  bytes[at] = out.end - start;
  return out.end;
}

/** Writes count and rendered arguments from byte `at` on; returns the byte after them. */
export function writeArguments(bytes: Uint8Array, at: number, values: readonly unknown[]): number {
  const count = values.length < MAX_ARGUMENTS ? values.length : MAX_ARGUMENTS;
  bytes[at++] = count;
  for (let i = 0; i < count; i++) at = writeValue(bytes, at, values[i]);
  clearPadding(bytes, at);
  return at;
}

/** Writes an exit record's flags and result from byte `at` on; returns the byte after them. */
export function writeResult(bytes: Uint8Array, at: number, flags: number, value: unknown): number {
  bytes[at++] = flags;
  const end = writeValue(bytes, at, value);
  clearPadding(bytes, end);
  return end;
}

/** The record is whole words: no byte of an older event, or of a store that was too wide, shows behind its text. */
function clearPadding(bytes: Uint8Array, end: number): void {
  while ((end & 3) !== 0) bytes[end++] = 0;
}
