/** Regular expressions of POSIX, made into steps that runtime/match-pattern.ts follows in time linear in the text. */

/** What a step does; `a` and `b` are its two numbers. */
export const STEP = {
  /** Takes a character of the set `a`. */
  TAKE: 0,
  /** Goes on at `a`, or else at `b`. */
  FORK: 1,
  /** Goes on at `a`. */
  JUMP: 2,
  /** Notes the place as border `a`: 2n and 2n + 1 are those of group n. */
  BORDER: 3,
  /** Goes on where the text begins. */
  BEGIN: 4,
  /** Goes on where the text ends. */
  END: 5,
  FOUND: 6,
} as const;

/** A regular expression. It can be sent to other threads. */
export interface PosixPattern {
  /** Three numbers a step: a STEP, `a` and `b`. */
  readonly steps: Int32Array;
  readonly count: number;
  /** Pairs of the first and the last code unit, for each set. */
  readonly sets: readonly Int32Array[];
  readonly setLengths: Int32Array;
  /** Two for each group, the whole is the first one. */
  readonly borders: number;
  /** Room for one match at a time: match-pattern.ts says what is where. */
  readonly room: Int32Array;
}

type Range = readonly [first: number, last: number];

/** A part of a regular expression: what makes its steps, so that a part that is repeated is made several times. */
type Part = (to: number[][]) => void;

const LAST_UNIT = 0xffff;
/** So many steps cost a text of 511 characters some milliseconds at most. */
const MOST_STEPS = 1000;
/** Groups in groups. */
const MOST_NESTED = 100;

const range = (text: string): Range => [text.charCodeAt(0), text.charCodeAt(text.length - 1)];
const DIGIT: readonly Range[] = [range('09')];
const ALPHA: readonly Range[] = [range('AZ'), range('az')];
const SPACE: readonly Range[] = [range('\t\r'), range(' ')];
const WORD: readonly Range[] = [...ALPHA, ...DIGIT, range('_')];

const CLASSES: Readonly<Record<string, readonly Range[]>> = {
  alnum: [...ALPHA, ...DIGIT],
  alpha: ALPHA,
  blank: [range(' '), range('\t')],
  cntrl: [range('\0\x1f'), range('\x7f')],
  digit: DIGIT,
  graph: [range('!~')],
  lower: [range('az')],
  print: [range(' ~')],
  punct: [range('!/'), range(':@'), range('[`'), range('{~')],
  space: SPACE,
  upper: [range('AZ')],
  xdigit: [...DIGIT, range('AF'), range('af')],
};

/** What is not in the ranges. */
function outside(ranges: readonly Range[]): readonly Range[] {
  const all: Range[] = [];
  let next = 0;
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    if (first > next) all.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= LAST_UNIT) all.push([next, LAST_UNIT]);
  return all;
}

/** Letters behind a backslash that mean something else than themselves. */
const ESCAPES: Readonly<Record<string, readonly Range[]>> = {
  d: DIGIT,
  D: outside(DIGIT),
  s: SPACE,
  S: outside(SPACE),
  w: WORD,
  W: outside(WORD),
  f: [range('\f')],
  n: [range('\n')],
  r: [range('\r')],
  t: [range('\t')],
  v: [range('\v')],
};

const ANY: readonly Range[] = [[0, LAST_UNIT]];

/** Reads a regular expression. */
class PatternReader {
  readonly sets: Int32Array[] = [];
  groups = 1;
  readonly #text: string;
  #at = 0;
  #nested = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Part {
    const part = this.#either();
    if (this.#at < this.#text.length) throw new SyntaxError("Unmatched ')'");
    return part;
  }

  #takes(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #either(): Part {
    const first = this.#sequence();
    if (!this.#takes('|')) return first;
    const branches = [first];
    do branches.push(this.#sequence());
    while (this.#takes('|'));
    return (to) => {
      const jumps: number[][] = [];
      for (const [i, branch] of branches.entries()) {
        const fork = i < branches.length - 1 ? add(to, STEP.FORK, to.length + 1) : undefined;
        branch(to);
        if (fork === undefined) continue;
        jumps.push(add(to, STEP.JUMP));
        fork[2] = to.length;
      }
      for (const jump of jumps) jump[1] = to.length;
    };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at]!)) parts.push(this.#repeated(this.#atom()));
    return (to) => {
      for (const part of parts) part(to);
    };
  }

  #repeated(part: Part): Part {
    let all = part;
    for (;;) {
      const counts = this.#counts();
      if (counts === undefined) return all;
      all = repeat(all, ...counts);
    }
  }

  #counts(): readonly [least: number, most: number] | undefined {
    if (this.#takes('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#takes('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#takes('?')) return [0, 1];
    const counts = /^\{(\d+)(,?)(\d*)\}/.exec(this.#text.slice(this.#at));
    if (counts === null) return undefined;
    const [all, least, comma, most] = counts;
    this.#at += all.length;
    if (comma === '') return [Number(least), Number(least)];
    return [Number(least), most === '' ? Number.POSITIVE_INFINITY : Number(most)];
  }

  #atom(): Part {
    if ('*+?'.includes(this.#text[this.#at]!) || this.#counts() !== undefined) throw new SyntaxError('Nothing to repeat');
    if (this.#takes('(')) return this.#group();
    if (this.#takes('^')) return (to) => void add(to, STEP.BEGIN);
    if (this.#takes('$')) return (to) => void add(to, STEP.END);
    if (this.#takes('[')) return this.#take(this.#bracket());
    if (this.#takes('.')) return this.#take(ANY);
    return this.#take(this.#character());
  }

  #group(): Part {
    if (this.#takes('?')) throw new SyntaxError('Invalid group');
    if (++this.#nested > MOST_NESTED) throw new SyntaxError('Regular expression too large');
    const number = this.groups++;
    const part = this.#either();
    if (!this.#takes(')')) throw new SyntaxError('Unterminated group');
    this.#nested--;
    return (to) => {
      add(to, STEP.BORDER, 2 * number);
      part(to);
      add(to, STEP.BORDER, 2 * number + 1);
    };
  }

  #take(ranges: readonly Range[]): Part {
    const set = this.sets.push(Int32Array.from(ranges.flat())) - 1;
    return (to) => void add(to, STEP.TAKE, set);
  }

  /** A character, or what a backslash makes of the one behind it. */
  #character(): readonly Range[] {
    const one = this.#text[this.#at++]!;
    if (one !== '\\') return [range(one)];
    const escaped = this.#text[this.#at++];
    if (escaped === undefined) throw new SyntaxError('\\ at end of pattern');
    const known = Object.hasOwn(ESCAPES, escaped) ? ESCAPES[escaped] : undefined;
    if (known !== undefined) return known;
    if (/[a-zA-Z0-9]/.test(escaped)) throw new SyntaxError(`\\${escaped} is not known here`);
    return [range(escaped)];
  }

  /** A set, from behind its bracket. */
  #bracket(): readonly Range[] {
    const isNegated = this.#takes('^');
    const all: Range[] = [];
    for (let isFirst = true; isFirst || this.#text[this.#at] !== ']'; isFirst = false) {
      if (this.#at >= this.#text.length) throw new SyntaxError('Unterminated character class');
      const name = /^\[:(\w+):\]/.exec(this.#text.slice(this.#at, this.#at + 20));
      if (name !== null) {
        if (!Object.hasOwn(CLASSES, name[1]!)) throw new SyntaxError(`no class of characters is named ${name[1]}`);
        this.#at += name[0].length;
        all.push(...CLASSES[name[1]!]!);
        continue;
      }
      const from = this.#character();
      const isRange = this.#text[this.#at] === '-' && this.#at + 1 < this.#text.length && this.#text[this.#at + 1] !== ']';
      const isOne = from.length === 1 && from[0]![0] === from[0]![1];
      if (!isRange || !isOne) {
        all.push(...from);
        continue;
      }
      this.#at++;
      const [to] = this.#character();
      if (to![1] < from[0]![0]) throw new SyntaxError('Range out of order in character class');
      all.push([from[0]![0], to![1]]);
    }
    this.#at++;
    return isNegated ? outside(all) : all;
  }
}

/** Adds a step. @throws SyntaxError if there are too many */
function add(to: number[][], step: number, a = 0, b = 0): number[] {
  if (to.length >= MOST_STEPS) throw new SyntaxError('Regular expression too large');
  const one = [step, a, b];
  to.push(one);
  return one;
}

function repeat(part: Part, least: number, most: number): Part {
  if (most < least) throw new SyntaxError('numbers out of order in {} quantifier');
  const counted = Math.min(most === Number.POSITIVE_INFINITY ? least : most, MOST_STEPS + 1);
  return (to) => {
    const forks: number[][] = [];
    for (let i = 0; i < counted; i++) {
      // An empty part counts, too: nothing else bounds how often it is made.
      if (i >= least) forks.push(add(to, STEP.FORK, to.length + 1));
      else add(to, STEP.JUMP, to.length + 1);
      part(to);
    }
    if (most === Number.POSITIVE_INFINITY) {
      const start = to.length;
      forks.push(add(to, STEP.FORK, start + 1));
      part(to);
      add(to, STEP.JUMP, start);
    }
    for (const fork of forks) fork[2] = to.length;
  };
}

/** @throws SyntaxError for what is no regular expression, or a too large one */
export function posixPattern(pattern: string): PosixPattern {
  const reader = new PatternReader(pattern);
  const part = reader.read();
  const steps: number[][] = [];
  part(steps);
  add(steps, STEP.FOUND);
  const borders = 2 * reader.groups;
  return {
    steps: Int32Array.from(steps.flat()),
    count: steps.length,
    sets: reader.sets,
    setLengths: Int32Array.from(reader.sets, ({ length }) => length),
    borders,
    room: new Int32Array(2 * borders + steps.length * (6 + 2 * borders)),
  };
}

/** What is wrong with a regular expression; undefined: nothing. */
export function patternFault(pattern: string): string | undefined {
  try {
    posixPattern(pattern);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
