import { compileGlob } from '../../base/glob.js';
import { kstrtoul } from '../../base/kstrto.js';
import type { Long } from '../c-types.js';
import { INTEGER_TYPES, type IntegerTypeName } from './operand.js';
import type { TextMatch } from './predicate.js';

const TWO_63 = 1n << 63n;

/**
 * A number as kstrtoll() or kstrtoull() reads it: decimal, hexadecimal after 0x, octal after 0. undefined if it is none, or
 * beyond 64 bits; only a signed one may be negative.
 */
export function parseInteger(text: string, signed: boolean): bigint | undefined {
  const isNegative = signed && text.startsWith('-');
  try {
    const value = kstrtoul(isNegative ? text.slice(1) : text);
    if (isNegative) return value <= TWO_63 ? -value : undefined;
    return signed && value >= TWO_63 ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Cuts a number to a type, as a cast in C does. */
export function castTo(type: IntegerTypeName, value: bigint): Long {
  const { bits, signed } = INTEGER_TYPES[type];
  const cast = signed || type === 'address' ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
  return Number.isSafeInteger(Number(cast)) ? Number(cast) : cast;
}

/** How a text matches, and what it is to match. */
export interface TextPattern {
  readonly match: TextMatch;
  readonly text: string;
  readonly not: boolean;
}

/**
 * What stands behind `~` (filter_parse_regex in kernel/trace/trace_events_filter.c). A pattern that begins with a digit has no
 * wildcards: the kernel takes it for an index, which events do not have, and then for a plain text.
 */
export function parsePattern(pattern: string): TextPattern {
  const not = pattern.startsWith('!');
  const text = not ? pattern.slice(1) : pattern;
  const match = /^\d/.test(text) ? 'full' : compileGlob(text).kind;
  return { match, text: WITHOUT_STARS[match](text), not };
}

const WITHOUT_STARS: Readonly<Record<TextMatch, (text: string) => string>> = {
  full: (text) => text,
  front: (text) => text.slice(0, -1),
  end: (text) => text.slice(1),
  middle: (text) => text.slice(1, -1),
  glob: (text) => text,
};

/** Bytes of a text in UTF-8. */
export function bytesOf(text: string): number {
  let bytes = 0;
  for (const char of text) bytes += utf8Bytes(char.codePointAt(0)!);
  return bytes;
}

const utf8Bytes = (code: number): number => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
