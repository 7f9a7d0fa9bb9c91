import { addressOfBits } from '../base/address.js';
import { attempt } from '../base/attempt.js';
import type { Errno } from '../base/errno.js';
import { kstrtoul } from '../base/kstrto.js';
import type { ProbeCommand } from './probe-command.js';
import type { WrittenPlace } from './probe-definition.js';
import type { ProbeNeeds } from './probe-needs.js';
import { isSourceName } from './source-name.js';

/** The word of a line that says where its probe stands. */
const PLACE = 1;
const RETURN = '%return';
/** Behind a function: when the promise that it returns has settled. */
export const SETTLED = '%settled';
const MAX_OFFSET = 0xffffffffn;

const NUMBER = '(?:0[xX][\\da-fA-F]+|\\d+)';
const LINE = /^(.+):(\d+)$/s;

export interface ParsedPlace {
  readonly place: WrittenPlace;
  /** Whether it ends with `%return`. */
  readonly isReturn: boolean;
  /** Whether it is the address 0. */
  readonly isNull?: boolean;
  /** Whether it ends with `%settled`, which no kernel has. */
  readonly isSettled: boolean;
}

/** Whether a place is that of a uprobe, as the kernel sees it: a path, and a number behind a colon. */
export const isUprobePlace = (word: string): boolean => word.includes('/') && /:\d[^:]*$/.test(word);

/**
 * The place of a kprobe: an address, `[MOD:]SYM[+OFFS][%return|%settled]`, `FUNC:LINE`, `FILE:LINE` (__trace_kprobe_create in
 * kernel/trace/trace_kprobe.c). A symbol may have any of the characters that stand between these parts: a word that is a symbol
 * is one.
 */
export function parsePlace(command: ProbeCommand, env: ProbeNeeds): ParsedPlace {
  const word = command.words[PLACE]!;
  const address = attempt(() => kstrtoul(word));
  if (address !== undefined) {
    const place: WrittenPlace = { kind: 'address', address: addressOfBits(address) };
    return { place, isReturn: false, isSettled: false, isNull: address === 0n };
  }
  const isWhole = env.symbols(undefined, word) > 0;
  const isReturn = !isWhole && word.endsWith(RETURN);
  const isSettled = !isWhole && word.endsWith(SETTLED);
  const text = isReturn ? word.slice(0, -RETURN.length) : isSettled ? word.slice(0, -SETTLED.length) : word;
  const place = linePlace(text, env) ?? symbolPlace(command, text, env);
  return { place, isReturn, isSettled };
}

/** `FUNC:LINE` and `FILE:LINE`: no symbol begins with a digit. */
function linePlace(text: string, env: ProbeNeeds): WrittenPlace | undefined {
  const [, head, digits] = LINE.exec(text) ?? [];
  if (head === undefined) return undefined;
  const line = Number(digits);
  if (env.symbols(undefined, head) > 0) return { kind: 'function line', symbol: head, line };
  if (isSourceName(head)) return line > 0 ? { kind: 'line', file: head, line } : undefined;
  return env.isInlined?.(head) ? { kind: 'function line', symbol: head, line } : undefined;
}

function symbolPlace(command: ProbeCommand, text: string, env: ProbeNeeds): WrittenPlace {
  const refuse = (errno: Errno): never => command.refuse('BAD_PROBE_ADDR', PLACE, 0, { errno });
  const isWhole = env.symbols(undefined, text) > 0;
  const percent = text.indexOf('%');
  if (!isWhole && percent >= 0) command.refuse('BAD_ADDR_SUFFIX', PLACE, percent);
  const colon = isWhole ? -1 : text.indexOf(':');
  const module = colon < 0 ? undefined : text.slice(0, colon);
  const { symbol, offset } = splitOffset(module, text.slice(colon + 1), env) ?? refuse('EINVAL');
  if (offset > MAX_OFFSET) refuse('EINVAL');
  if (module !== undefined && /^\d/.test(symbol)) refuse('ENOENT');
  return { kind: 'symbol', ...(module === undefined ? {} : { module }), symbol, offset: Number(offset) };
}

/**
 * `SYM[+OFFS]`: a symbol, else one before the last `+`, else what the kernel takes as both, which looks for the first sign
 * (traceprobe_split_symbol_offset). Undefined: what follows the sign is no offset.
 */
function splitOffset(
  module: string | undefined,
  text: string,
  env: ProbeNeeds,
): { readonly symbol: string; readonly offset: bigint } | undefined {
  if (env.symbols(module, text) > 0) return { symbol: text, offset: 0n };
  const [, symbol = text, digits] = new RegExp(`^(.*)\\+(${NUMBER})$`, 's').exec(text) ?? [];
  const offset = digits === undefined ? 0n : attempt(() => kstrtoul(digits));
  if (offset !== undefined && digits !== undefined && env.symbols(module, symbol) > 0) return { symbol, offset };
  const isUnknownPackage = module !== undefined;
  if (!isUnknownPackage && /[+-]/.test(symbol)) return undefined;
  return offset === undefined ? undefined : { symbol, offset };
}

/** Refuses a symbol that is not there, or that several functions have. Those of a package may still come. */
export function checkSymbol(command: ProbeCommand, place: WrittenPlace, isReturn: boolean, env: ProbeNeeds): void {
  if (place.kind !== 'symbol') {
    const isLine = place.kind === 'line' || place.kind === 'function line';
    if (isLine && isReturn) command.refuse('BAD_RETPROBE', PLACE);
    return;
  }
  const count = env.symbols(place.module, place.symbol);
  if (isReturn && place.offset > 0 && count > 0) command.refuse('BAD_RETPROBE', PLACE);
  if (place.module !== undefined) return;
  if (count > 1) command.refuse('NON_UNIQ_SYMBOL', PLACE);
  if (count === 0 && env.hasNoFunctions?.() !== true && env.isInlined?.(place.symbol) !== true)
    command.refuse('BAD_PROBE_ADDR', PLACE, 0, { errno: 'ENOENT' });
}
