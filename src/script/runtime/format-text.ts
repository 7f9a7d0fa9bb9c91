import {
  BigIntAsIntN as asIntN,
  BigIntAsUintN as asUintN,
  BigInt_ as bigInt,
  StringFromCharCode as fromCharCode,
  StringPrototypeIncludes as includes,
  Number_ as numberOf,
  StringPrototypePadEnd as padEnd,
  StringPrototypePadStart as padStart,
  StringPrototypeSlice as slice,
  StringPrototypeToUpperCase as toUpperCase,
} from '../../base/primordials.js';
import { lowWord } from '../../base/words.js';
import type { Long } from '../../events/c-types.js';
import type { Conversion, PrintFormat } from '../program.js';
import type { ScriptCode } from '../script-code.js';
import { decimal } from './decimal.js';
import { toLong } from './longs.js';

/** The most signs that a width or precision asks for. */
const MOST = 8192;

/** How printf of a language differs from C's. */
interface Dialect {
  /** `0x` stands before 0, too. */
  readonly marksZero: boolean;
  /** `%p` of 0. */
  readonly noPointer: string;
  /** A negative width is one with `-`; else there is none. */
  readonly hasNegativeWidth: boolean;
  /** `%05s` has a zero byte behind it. */
  readonly endsText: boolean;
}

const DIALECTS: Readonly<Record<ScriptCode['language'], Dialect>> = {
  stap: { marksZero: true, noPointer: '0x0', hasNegativeWidth: false, endsText: true },
  bpftrace: { marksZero: false, noPointer: '(nil)', hasNegativeWidth: true, endsText: false },
};

interface Spec {
  readonly flags: string;
  readonly width: number;
  /** -1: none. */
  readonly precision: number;
  readonly bytes: number;
}

const has = (flags: string, flag: string): boolean => includes(flags, flag);

const padded = (text: string, { flags, width }: Spec): string => (has(flags, '-') ? padEnd(text, width) : padStart(text, width));

function signed(value: Long, { bytes }: Spec): Long {
  if (bytes === 8) return value;
  return typeof value === 'number' && value >= -128 && value < 128 ? value : toLong(asIntN(8 * bytes, bigInt(value)));
}

function unsigned(value: Long, { bytes }: Spec): Long {
  return typeof value === 'number' && value >= 0 && (bytes === 8 || value < 256) ? value : asUintN(8 * bytes, bigInt(value));
}

/** A number of digits with its sign or mark, as wide as it is asked for. */
function withWidth(sign: string, digits: string, spec: Spec): string {
  const { flags, width, precision } = spec;
  const all = padStart(digits, precision, '0');
  if (!has(flags, '0') || has(flags, '-')) return padded(sign + all, spec);
  return sign + padStart(all, width - sign.length, '0');
}

function integer(value: Long, spec: Spec): string {
  const whole = signed(value, spec);
  const { flags } = spec;
  const sign = whole < 0 ? '-' : has(flags, '+') ? '+' : has(flags, ' ') ? ' ' : '';
  const digits = decimal(whole);
  return withWidth(sign, whole < 0 ? slice(digits, 1, digits.length) : digits, spec);
}

function natural(value: Long, spec: Spec, base: number, mark: string, { marksZero }: Dialect): string {
  const whole = unsigned(value, spec);
  const isMarked = has(spec.flags, '#') && (marksZero || (whole !== 0 && whole !== 0n));
  return withWidth(isMarked ? mark : '', decimal(whole, base), spec);
}

const ESCAPES: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  39: "\\'",
  92: '\\\\',
};

function character(value: Long, spec: Spec): string {
  const code = lowWord(value) & 0xff;
  if (!has(spec.flags, '#') || (code >= 0x20 && code < 0x7f && code !== 39 && code !== 92)) {
    return padded(fromCharCode(code), spec);
  }
  return padded(ESCAPES[code] ?? `\\${padStart(decimal(code, 8), 3, '0')}`, spec);
}

function text(value: Long | string, spec: Spec, { endsText }: Dialect): string {
  const all = typeof value === 'string' ? value : decimal(value);
  const shown = padded(spec.precision >= 0 ? slice(all, 0, spec.precision) : all, spec);
  return endsText && has(spec.flags, '0') ? `${shown}\0` : shown;
}

const isBinarySize = (bytes: number): boolean => bytes === 1 || bytes === 2 || bytes === 4 || bytes === 8;

/** `%b`: the bytes of an integer, the lowest first, and zero bytes around them up to the width. */
function binary(value: Long, { flags, width, precision }: Spec): string {
  const asked = isBinarySize(precision) ? precision : isBinarySize(width) ? width : 8;
  const rest = asUintN(64, bigInt(value));
  let bytes = '';
  for (let i = 0; i < asked; i++) bytes += fromCharCode(numberOf((rest >> bigInt(8 * i)) & 255n));
  return has(flags, '-') ? padEnd(bytes, width, '\0') : padStart(bytes, width, '\0');
}

type Show = (value: Long | string, spec: Spec, dialect: Dialect) => string;
const longOf = (value: Long | string): Long => (typeof value === 'string' ? 0 : value);

const LETTERS: Readonly<Record<string, Show>> = {
  d: (value, spec) => integer(longOf(value), spec),
  i: (value, spec) => integer(longOf(value), spec),
  u: (value, spec, dialect) => natural(longOf(value), spec, 10, '', dialect),
  x: (value, spec, dialect) => natural(longOf(value), spec, 16, '0x', dialect),
  X: (value, spec, dialect) => toUpperCase(natural(longOf(value), spec, 16, '0x', dialect)),
  o: (value, spec, dialect) => natural(longOf(value), spec, 8, '0', dialect),
  p: (value, spec, dialect) =>
    value === 0
      ? padded(dialect.noPointer, spec)
      : natural(longOf(value), { ...spec, bytes: 8, flags: `${spec.flags}#` }, 16, '0x', dialect),
  c: (value, spec) => character(longOf(value), spec),
  s: text,
  r: text,
  b: (value, spec) => binary(longOf(value), spec),
};

const clamped = (value: number): number => (value < MOST ? value : MOST);

/** The text of a format with its arguments, which include those of `*`. */
export function formatText(format: PrintFormat, args: readonly (Long | string)[], language: ScriptCode['language']): string {
  const dialect = DIALECTS[language];
  let all = '';
  let next = 0;
  const number = (asked: number | '*' | undefined, absent: number): number =>
    asked === undefined ? absent : asked === '*' ? lowWord(longOf(args[next++] ?? 0)) : asked;
  for (let i = 0; i < format.length; i++) {
    const part = format[i]!;
    if (typeof part === 'string') {
      all += part;
      continue;
    }
    const width = number(part.width, 0);
    const precision = number(part.precision, -1);
    const spec: Spec = {
      flags: width < 0 && dialect.hasNegativeWidth ? `${part.flags}-` : part.flags,
      width: clamped(width >= 0 ? width : dialect.hasNegativeWidth ? -width : 0),
      precision: part.precision === undefined ? -1 : clamped(precision < 0 ? 0 : precision),
      bytes: part.bytes ?? 8,
    };
    all += show(part, args[next++] ?? 0, spec, dialect);
  }
  return all;
}

/** Memory has no address here: `%m` and `%M` show none. */
const show = ({ letter }: Conversion, value: Long | string, spec: Spec, dialect: Dialect): string =>
  (LETTERS[letter] ?? ((_value, asked) => padded('', asked)))(value, spec, dialect);
