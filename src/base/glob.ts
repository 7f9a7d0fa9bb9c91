import {
  StringPrototypeCharCodeAt as charCodeAt,
  StringPrototypeEndsWith as endsWith,
  StringPrototypeIncludes as includes,
  StringPrototypeStartsWith as startsWith,
} from './primordials.js';

/** How a pattern is matched, as filter_parse_regex() in kernel/trace/trace_events_filter.c tells them apart. */
export type GlobKind = 'full' | 'front' | 'middle' | 'end' | 'glob';

/** A compiled pattern. */
export interface Glob {
  readonly kind: GlobKind;
  readonly test: (name: string) => boolean;
}

/**
 * Compiles a pattern of ftrace's filters, always of the whole name: `x` itself, `x*` its front, `*x` its end, `*x*` any part,
 * and what else has `*`, `?`, `[a-z]`, `[!a-z]` or `\x` as glob_match() in lib/glob.c does.
 */
export function compileGlob(pattern: string): Glob {
  const kind = kindOf(pattern);
  return { kind, test: TESTS[kind](pattern) };
}

/** True for a text without any of the glob's characters: it matches only itself. */
export const isPlain = (pattern: string): boolean => kindOf(pattern) === 'full';

function kindOf(pattern: string): GlobKind {
  let kind: GlobKind = 'full';
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!;
    if (char === '?' || char === '[' || char === '\\') return 'glob';
    if (char !== '*') continue;
    if (i === 0) kind = 'end';
    else if (i === pattern.length - 1) kind = kind === 'end' ? 'middle' : 'front';
    else return 'glob';
  }
  return kind;
}

const TESTS: Readonly<Record<GlobKind, (pattern: string) => (name: string) => boolean>> = {
  full: (pattern) => (name) => name === pattern,
  front: (pattern) => {
    const text = pattern.slice(0, -1);
    return (name) => startsWith(name, text);
  },
  middle: (pattern) => {
    const text = pattern.slice(1, -1);
    return (name) => includes(name, text);
  },
  end: (pattern) => {
    const text = pattern.slice(1);
    return (name) => endsWith(name, text);
  },
  glob: (pattern) => {
    const tokens = tokenize(pattern);
    return (name) => matches(tokens, name);
  },
};

/**
 * What one element of a pattern matches: any text, any character, only the end, one character, or at most `CLASS` one of a class.
 */
const STAR = -1;
const ANY = -2;
/** A backslash at the end of a pattern: it matches the end, as the pattern's own end does. */
const END = -3;
const CLASS = -4;

interface CharacterClass {
  readonly inverted: boolean;
  readonly spans: readonly number[];
}

/** A pattern as integers, END last. */
interface Tokens {
  readonly codes: Int32Array;
  /** A code of `CLASS - n` is the n-th. */
  readonly classes: readonly CharacterClass[];
}

/** Backtracks only to the last star: no pattern makes it slower than the product of the lengths. */
function matches({ codes, classes }: Tokens, name: string): boolean {
  let at = 0;
  let i = 0;
  let starAt = -1;
  let starI = 0;
  for (;;) {
    const code = codes[at]!;
    if (code === STAR) {
      starAt = ++at;
      starI = i;
      if (at === codes.length - 1) return true;
      continue;
    }
    if (i === name.length) return code === END;
    const char = charCodeAt(name, i);
    if (code === char || code === ANY || (code <= CLASS && takes(classes[CLASS - code]!, char))) {
      at++;
      i++;
    } else if (starAt < 0) return false;
    else {
      at = starAt;
      i = ++starI;
    }
  }
}

function takes({ spans, inverted }: CharacterClass, char: number): boolean {
  for (let i = 0; i < spans.length; i += 2) {
    if (spans[i]! <= char && char <= spans[i + 1]!) return !inverted;
  }
  return inverted;
}

function tokenize(pattern: string): Tokens {
  const codes: number[] = [];
  const classes: CharacterClass[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!;
    if (char === '*') codes.push(STAR);
    else if (char === '?') codes.push(ANY);
    else if (char === '\\') codes.push(++i < pattern.length ? pattern.charCodeAt(i) : END);
    else {
      const found = char === '[' ? characterClass(pattern, i) : undefined;
      codes.push(found === undefined ? char.charCodeAt(0) : CLASS - (classes.push(found.set) - 1));
      i = found?.end ?? i;
    }
  }
  return { codes: Int32Array.from([...codes, END]), classes };
}

/** Reads `[...]` at `start`; undefined when it is not closed: then the bracket stands for itself. */
function characterClass(pattern: string, start: number): { set: CharacterClass; end: number } | undefined {
  const inverted = pattern[start + 1] === '!';
  const spans: number[] = [];
  let i = start + (inverted ? 2 : 1);
  do {
    const from = i++;
    const ranged = pattern[i] === '-' && pattern[i + 1] !== ']';
    const to = ranged ? i + 1 : from;
    if (to >= pattern.length) return undefined;
    if (ranged) i += 2;
    spans.push(pattern.charCodeAt(from), pattern.charCodeAt(to));
  } while (pattern[i] !== ']');
  return { set: { inverted, spans }, end: i };
}
