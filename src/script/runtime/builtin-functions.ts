import {
  BigIntAsUintN as asUintN,
  BigInt_ as bigInt,
  StringPrototypeCharCodeAt as charCodeAt,
  MathFloor as floor,
  StringFromCharCode as fromCharCode,
  StringPrototypeIndexOf as indexOf,
  ArrayIsArray as isArray,
  StringPrototypePadStart as padStart,
  MathRandom as random,
  StringPrototypeSlice as slice,
  Date_ as WallTime,
} from '../../base/primordials.js';
import type { Long } from '../../events/c-types.js';
import type { BuiltinName } from '../builtins.js';
import { decimal } from './decimal.js';
import type { HandlerState } from './handler-state.js';
import { toLong, unsigned } from './longs.js';
import { matchedGroup } from './match-pattern.js';
import { ERRNOS, SIGNALS } from './numbers-of-names.js';
import { byteLength, cut, untilZero } from './text.js';
import { formatTime, utcText } from './time-text.js';

/** The functions of builtins.ts. The first argument is the script on the thread. */

type Builtin = (s: HandlerState, ...args: never[]) => unknown;

const escapes: Readonly<Record<number, string>> = {
  7: 'a',
  8: 'b',
  9: 't',
  10: 'n',
  11: 'v',
  12: 'f',
  13: 'r',
  34: '"',
  92: '\\',
};

/** A place in a text: what is no such number is outside of it. */
const index = (value: Long): number => (typeof value === 'number' ? value : value < 0 ? -1 : 0x7fffffff);

const DIGIT = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : 99;
};

/** A number at the start of a text, as the kernel reads it: no space before it, and no digits beyond `f`. */
function strtol(text: string, asked: Long): Long {
  const isNegative = charCodeAt(text, 0) === 0x2d;
  let i = isNegative ? 1 : 0;
  let base = index(asked);
  const hasPrefix =
    charCodeAt(text, i) === 0x30 && (charCodeAt(text, i + 1) | 0x20) === 0x78 && DIGIT(charCodeAt(text, i + 2)) < 16;
  if ((base === 0 || base === 16) && hasPrefix) {
    base = 16;
    i += 2;
  } else if (base === 0) base = charCodeAt(text, i) === 0x30 ? 8 : 10;
  let value = 0n;
  for (; i < text.length && DIGIT(charCodeAt(text, i)) < base; i++)
    value = value * bigInt(base) + bigInt(DIGIT(charCodeAt(text, i)));
  return toLong(isNegative ? -value : value);
}

/** Printable text, as SystemTap's text_str has it, at most so many characters. */
function escaped(text: string, most: number): string {
  let all = '';
  for (let i = 0; i < text.length; i++) {
    const code = charCodeAt(text, i);
    const letter = escapes[code];
    const isShown = code >= 0x20 && code !== 0x7f;
    const next = letter !== undefined ? `\\${letter}` : isShown ? fromCharCode(code) : `\\${padStart(decimal(code, 8), 3, '0')}`;
    if (all.length + next.length > most) break;
    all += next;
  }
  return all;
}

/** bytesText of a text: what cannot be printed as `\x01`. */
function hexEscaped(text: string, most: number): string {
  let all = '';
  for (let i = 0; i < text.length && i < most; i++) {
    const code = charCodeAt(text, i);
    all += code >= 0x20 && code < 0x7f ? fromCharCode(code) : `\\x${padStart(decimal(code & 0xff, 16), 2, '0')}`;
  }
  return all;
}

function tokenize(s: HandlerState, text: string, delimiters: string): string {
  if (text !== '') {
    s.tokens = text;
    s.token = 0;
  }
  const { tokens } = s;
  let from = s.token;
  while (from < tokens.length && indexOf(delimiters, tokens[from]!) >= 0) from++;
  let end = from;
  while (end < tokens.length && indexOf(delimiters, tokens[end]!) < 0) end++;
  s.token = end + 1;
  return slice(tokens, from, end);
}

function replaced(text: string, part: string, by: string): string {
  if (part === '') return text;
  let all = '';
  let from = 0;
  for (
    let at = indexOf(text, part);
    at >= 0;
    at = (indexOf as (text: string, part: string, from: number) => number)(text, part, from)
  ) {
    all += slice(text, from, at) + by;
    from = at + part.length;
  }
  return all + slice(text, from, text.length);
}

function joined(s: HandlerState, value: unknown, between: string): string {
  const { values } = s.context;
  if (!isArray(value)) return values.stringOf(value);
  let all = '';
  for (let i = 0; i < value.length; i++) {
    all += (i === 0 ? '' : between) + values.stringOf(values.memberOf(value, decimal(i)));
  }
  return all;
}

/** Nanoseconds of the wall clock at a time of the trace clock. */
const wallOf = (s: HandlerState, ns: Long): Long => toLong(s.context.wallNsecs() - bigInt(s.context.nsecs()) + bigInt(ns));

function swapped(value: Long, size: Long): Long {
  let rest = unsigned(value);
  let all = 0n;
  for (let i = 0; i < size; i++) {
    all = (all << 8n) | (rest & 255n);
    rest >>= 8n;
  }
  return toLong(all);
}

/** The symbol at an address, or the name of a function; an address that none has as it is. */
function symbolText(s: HandlerState, value: unknown): string {
  const { context } = s;
  const isAddress = typeof value === 'number' || typeof value === 'bigint';
  if (!isAddress) return cut(context.values.stringOf(context.values.memberOf(value, 'name')), s.room);
  return cut(context.symbol?.(Number(value)) ?? `0x${decimal(asUintN(64, bigInt(value)), 16)}`, s.room);
}

const FUNCTIONS = {
  pid: (s) => s.context.pid,
  tid: (s) => s.context.tid(),
  ppid: (s) => s.context.ppid(),
  cpu: (s) => s.context.cpu,
  comm: (s) => s.context.comm(),
  uid: (s) => s.context.uid(),
  gid: (s) => s.context.gid(),
  nsecs: (s) => s.context.nsecs(),
  wallNsecs: (s) => toLong(s.context.wallNsecs()),
  elapsed: (s) => s.context.nsecs() - s.begun(),
  functionName: (s) => cut(s.context.functionName(s.at), s.room),
  moduleName: (s) => cut(s.context.moduleName(s.at), s.room),
  pointName: (s) => cut(s.code.handlers[s.handler]!.name, s.room),
  resolvedPointName: (s) => cut(s.code.handlers[s.handler]!.resolvedName, s.room),
  address: (s) => s.context.address(s.at),
  thrown: (s) => cut(s.context.thrown(), s.room),
  stack: (s, depth: Long = 127) => cut(s.context.stack(index(depth)), s.room),
  frames: (s, depth: Long) => s.context.stack(index(depth)),
  exit: (s) => s.exit(),
  abort: (s) => s.abort(),
  error: (s, message: string) => s.fail(message, ''),
  warn: (s, message: string) => s.print('error', `WARNING: ${message}\n`),
  strlen: (_s, text: string) => byteLength(text),
  substr(_s, text: string, start: Long, length: Long) {
    const from = index(start);
    const count = index(length);
    return from < 0 || count <= 0 ? '' : slice(text, from, from + count);
  },
  joinElements: (s, value: unknown, between: string) => cut(untilZero(joined(s, value, between)), s.room),
  bytesText: (s, value: unknown, most: Long) => cut(hexEscaped(s.context.values.stringOf(value), index(most)), s.room),
  strftime: (s, format: string, wallNs: Long) => cut(formatTime(format, wallNs), s.room),
  wallOf: (s, ns: Long) => wallOf(s, ns),
  strerror: (_s, errno: Long) => ERRNOS[index(errno)]?.[1] ?? `Unknown error ${decimal(errno)}`,
  strncmp: (_s, a: string, b: string, count: Long) => (slice(a, 0, index(count)) === slice(b, 0, index(count)) ? 0 : 1),
  strcontains: (_s, text: string, part: string) => (indexOf(text, part) >= 0 ? 1 : 0),
  rand: () => floor(random() * 4294967296),
  symbolOf(s, value: unknown) {
    const text = symbolText(s, value);
    const end = indexOf(text, '+0x');
    return end > 0 ? slice(text, 0, end) : text;
  },
  symbolText,
  swapBytes: (_s, value: Long, size: Long) => swapped(value, size),
  strtol: (_s, text: string, base: Long) => strtol(text, base),
  targetPid: (s) => s.context.targetPid ?? s.context.pid,
  isReturn(s) {
    const { point } = s.code.handlers[s.handler]!;
    return point.kind === 'function' && point.at !== 'entry' ? 1 : 0;
  },
  commOf(s, pid: Long) {
    const { context } = s;
    if (pid === context.pid || pid === context.tid()) return context.comm();
    return cut(context.commOf?.(Number(pid)) ?? '', s.room);
  },
  tokenize,
  stringAt(_s, text: string, place: Long) {
    const at = index(place);
    return at >= 0 && at < text.length ? charCodeAt(text, at) : -1;
  },
  strpos: (_s, text: string, part: string) => indexOf(text, part),
  strReplace: (s, text: string, part: string, by: string) => cut(replaced(text, part, by), s.room),
  escapeText: (s, text: string, most: Long) => cut(escaped(text, index(most)), s.room),
  matched: (s, group: Long) => cut(s.matched === undefined ? '' : matchedGroup(s.matched, s.matchedText, index(group)), s.room),
  matchedCount: (s) => (s.matched === undefined ? 0 : s.matched.borders / 2),
  ctime: (s, seconds: Long) => cut(utcText(new WallTime(Number(seconds) * 1000)), s.room),
  errnoName: (_s, errno: Long) => ERRNOS[index(errno)]?.[0] ?? '',
  signalName: (_s, signal: Long) => SIGNALS[index(signal)] ?? '',
  randint: (_s, below: Long) => (below > 0 ? floor(random() * Number(below)) : 0),
} as const satisfies Readonly<Record<BuiltinName, Builtin>>;

export const BUILTIN_FUNCTIONS = FUNCTIONS;
