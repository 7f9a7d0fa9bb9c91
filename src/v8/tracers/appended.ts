import { DIGITS } from './byte-view.js';
import { renderValue } from './render.js';
import { textLimits } from './text-limits.js';
import { prepare, ValueText } from './value-text.js';

/** The most arguments in an entry record; further ones are left out. */
const MAX_ARGUMENTS = 12;
/** Bytes that `count` appended arguments take at most: flags, count, and a length byte with each. */
export const argumentsBytes = (count: number): number =>
  2 + (count < MAX_ARGUMENTS ? count : MAX_ARGUMENTS) * (1 + textLimits.value);
/** Bytes that an appended result takes at most: flags, length, text. */
export const resultBytes = (): number => 2 + textLimits.value;

/** Shown for a value that cannot be rendered (the stack is nearly full, memory is short). */
const UNRENDERED = '?';

const out = new ValueText();

const TRUE = prepare('true').first;
const FALSE = prepare('false').first;
const UNDEFINED = prepare('undefined');

/**
 * Two in three values of a compiler run are small integers, booleans and undefined: each is a store or two here. All that a value
 * may take is reserved, so a store may be wider than the text.
 */
function writeValue(bytes: Uint8Array, at: number, value: unknown): number {
  const start = at + 1;
  const view = out.open(bytes);
  if (typeof value === 'number') {
    if ((value | 0) === value && value < 1000 && (value > 0 || (value === 0 && 1 / value > 0))) {
      const count = value < 10 ? 1 : value < 100 ? 2 : 3;
      view.put4(start, DIGITS[value]! >>> (24 - 8 * count), true);
      bytes[at] = count;
      return start + count;
    }
  } else if (typeof value === 'boolean') {
    const count = value ? 4 : 5;
    view.put8(start, value ? TRUE : FALSE, true);
    bytes[at] = count;
    return start + count;
  } else if (value === undefined) {
    view.put8(start, UNDEFINED.first, true);
    view.put8(start + 8, UNDEFINED.words[1]!, true);
    bytes[at] = UNDEFINED.length;
    return start + UNDEFINED.length;
  }
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
