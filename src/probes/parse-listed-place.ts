import { isSourceName } from './source-name.js';

/** A place as `fentry probe -L` and `-V` name it: like perf's, of a function or of a file. */
export type ListedPlace =
  /** `[MOD:]FUNC[@FILE]`, with lines counted from its first one, 0, or with an offset. */
  | {
      readonly kind: 'function';
      readonly module?: string;
      readonly symbol: string;
      /** The end of the path of its file. */
      readonly file?: string;
      readonly lines?: LineRange;
      readonly offset?: number;
      readonly isReturn?: boolean;
      readonly isSettled?: boolean;
    }
  /** `FILE`, with lines counted from 1. */
  | { readonly kind: 'file'; readonly file: string; readonly lines?: LineRange };

/** Lines from the first to the last one; without a last one it is the first alone. */
export interface LineRange {
  readonly from: number;
  readonly to?: number;
}

/** Whether a package has a function of this symbol; without one, the application or any package. */
export type HasSymbol = (module: string | undefined, symbol: string) => boolean;

const LINES = /^(?<head>.+):(?<from>\d+)(?:(?<sign>[+-])(?<to>\d+))?$/s;
const OFFSET = /^(?<head>.+)\+(?<offset>0[xX][\da-fA-F]+|\d+)$/s;
/** What may stand behind a function, and what it means. */
const ENDS = { '%return': { isReturn: true }, '%settled': { isReturn: true, isSettled: true } } as const;

/**
 * Reads `[MOD:]FUNC[@FILE][:FROM[-TO|+COUNT]|+OFFS|%return|%settled]` and `FILE[:FROM[-TO|+COUNT]]`. A word that is a symbol is
 * taken as one: symbols have many of the characters that stand between the parts. Undefined: it is none of these. Pure.
 */
export function parseListedPlace(text: string, hasSymbol: HasSymbol): ListedPlace | undefined {
  const whole = symbolNamed(text, hasSymbol);
  if (whole !== undefined) return whole;
  for (const [end, is] of Object.entries(ENDS)) {
    if (!text.endsWith(end)) continue;
    const named = functionNamed(text.slice(0, -end.length), hasSymbol);
    return named && { ...named, ...is };
  }
  const { head, from, sign, to } = LINES.exec(text)?.groups ?? {};
  if (head !== undefined) {
    const lines = rangeOf(Number(from), sign, to);
    const named = functionNamed(head, hasSymbol);
    if (named !== undefined) return { ...named, lines };
    return isSourceName(head) ? { kind: 'file', file: head, lines } : undefined;
  }
  const { head: before = '', offset } = OFFSET.exec(text)?.groups ?? {};
  const named = functionNamed(before, hasSymbol);
  if (named !== undefined) return { ...named, offset: Number(offset) };
  return functionNamed(text, hasSymbol) ?? (isSourceName(text) ? { kind: 'file', file: text } : undefined);
}

/** perf counts a line behind `+` to the first one, and takes both ends of a range. */
function rangeOf(from: number, sign: string | undefined, to: string | undefined): LineRange {
  if (to === undefined) return { from };
  return { from, to: sign === '+' ? from + Number(to) - 1 : Number(to) };
}

type NamedFunction = Extract<ListedPlace, { kind: 'function' }>;

/** `[MOD:]FUNC` */
function symbolNamed(text: string, hasSymbol: HasSymbol): NamedFunction | undefined {
  if (hasSymbol(undefined, text)) return { kind: 'function', symbol: text };
  const colon = text.indexOf(':');
  const [module, symbol] = [text.slice(0, colon), text.slice(colon + 1)];
  return colon > 0 && hasSymbol(module, symbol) ? { kind: 'function', module, symbol } : undefined;
}

/** `[MOD:]FUNC[@FILE]` */
function functionNamed(text: string, hasSymbol: HasSymbol): NamedFunction | undefined {
  const whole = symbolNamed(text, hasSymbol);
  if (whole !== undefined) return whole;
  for (let at = text.indexOf('@'); at > 0; at = text.indexOf('@', at + 1)) {
    const file = text.slice(at + 1);
    const named = file === '' || /[@:]/.test(file) ? undefined : symbolNamed(text.slice(0, at), hasSymbol);
    if (named !== undefined) return { ...named, file };
  }
  return undefined;
}
