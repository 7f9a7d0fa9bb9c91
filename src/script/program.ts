import type { Fetch } from '../probes/probe-definition.js';
import type { BuiltinName } from './builtins.js';
import type { ScriptType, StoredType } from './script-type.js';

/**
 * The typed program that both parsers make of a script, and from which the code of its handlers is made. It knows neither
 * language: what differs between them (what is printed at the end, how a division by zero counts) is said in it as data.
 */

/** Where something stands in a source. */
export interface SourcePlace {
  /** The file as it was named; `<input>` for a script that was given as an argument. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** How an error of SystemTap names what stands there: `operator '/'`, `identifier 'n'`, `keyword`. */
  readonly token?: string;
}

/** What one aggregate collects besides its count; only that is kept. */
export interface StatsShape {
  /** Bits that `@variance(x, bits)` asked for, the largest; absent: no variance is asked for. */
  readonly varianceBits?: number;
  readonly histogram?: HistogramShape;
  /** What of it is shown where bpftrace prints the map; absent: its histogram. */
  readonly shows?: 'count' | 'sum' | 'min' | 'max' | 'avg' | 'stats';
}
export type HistogramShape =
  /** `@hist_log`: a bucket a power of two, negative ones too. */
  | { readonly kind: 'log' }
  /** `hist()` of bpftrace: [0], [1], [2, 4), ...; what is negative counts in the first bucket. */
  | { readonly kind: 'log2' }
  | { readonly kind: 'linear'; readonly from: number; readonly to: number; readonly step: number };

/** A variable of the whole script. */
export interface GlobalVariable {
  /** The name as it is written: `n`, `@start`; private ones of a tapset with what makes them unique. */
  readonly name: string;
  /** The types of an array's keys; empty: a scalar. */
  readonly keys: readonly StoredType[];
  readonly type: ScriptType;
  /** Whether longs are shown without a sign. */
  readonly isUnsigned?: boolean;
  /** What a scalar has at first; absent: 0 or "". */
  readonly initial?: bigint | string;
  /** The most entries of an array. */
  readonly maxEntries: number;
  /** Whether `maxEntries` was written behind the name, so that MAXMAPENTRIES does not say it. */
  readonly isSized?: boolean;
  /** An array that is full drops its oldest entry (`%` behind its name). */
  readonly wraps?: boolean;
  readonly stats?: StatsShape;
  readonly place: SourcePlace;
}

export const LONG_OPERATORS = ['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '>>>'] as const;
export type LongOperator = (typeof LONG_OPERATORS)[number];
export const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];
export const EXTRACTORS = ['count', 'sum', 'min', 'max', 'avg', 'variance'] as const;
export type Extractor = (typeof EXTRACTORS)[number];

/** What can be assigned to. */
export type AssignTarget =
  | { readonly op: 'local'; readonly slot: number }
  | { readonly op: 'global'; readonly id: number }
  | {
      readonly op: 'element';
      readonly id: number;
      readonly keys: readonly ScriptExpression[];
      /** Named when the array is full. */
      readonly place?: SourcePlace;
    };

/** An expression; types were checked, and conversions are explicit. */
export type ScriptExpression =
  | { readonly op: 'long'; readonly value: bigint }
  | { readonly op: 'string'; readonly value: string }
  /** Reading an element that is not there gives 0 or "" and does not make one. */
  | AssignTarget
  | { readonly op: 'assign'; readonly target: AssignTarget; readonly value: ScriptExpression }
  /**
   * `target OPERATOR= value`, `++` and `--`; its value is the new one, or with `isPost` the old one. `.`: texts are joined. One
   * look-up of the element.
   */
  | {
      readonly op: 'update';
      readonly target: AssignTarget;
      readonly operator: LongOperator | '.';
      readonly value: ScriptExpression;
      readonly isPost: boolean;
      readonly place: SourcePlace;
    }
  /** Whether an array has an entry with these keys; undefined: any. */
  | { readonly op: 'has'; readonly id: number; readonly keys: readonly (ScriptExpression | undefined)[] }
  /** `NAME=VALUE ...` of all parameters of the function that was hit, as func-args shows values: `$$parms`. */
  | { readonly op: 'parameters' }
  /** `x <<< value`, `@x = count()`, `sum(value)` and the like. */
  | {
      readonly op: 'add sample';
      readonly id: number;
      readonly keys: readonly ScriptExpression[];
      readonly value: ScriptExpression;
      readonly place?: SourcePlace;
    }
  | {
      readonly op: 'extract';
      readonly id: number;
      readonly keys: readonly ScriptExpression[];
      readonly what: Extractor;
      readonly place: SourcePlace;
    }
  /** The count of one bucket: `@hist_log(x)[i]`. */
  | {
      readonly op: 'bucket';
      readonly id: number;
      readonly keys: readonly ScriptExpression[];
      readonly index: ScriptExpression;
      readonly place: SourcePlace;
    }
  /** The text that `print(@hist_log(x))` prints. */
  | {
      readonly op: 'histogram text';
      readonly id: number;
      readonly keys: readonly ScriptExpression[];
      readonly place: SourcePlace;
    }
  /** `!` of a `value`: whether JavaScript takes it for false. */
  | { readonly op: '-' | '~' | '!'; readonly of: ScriptExpression }
  | {
      readonly op: 'binary';
      readonly operator: LongOperator;
      readonly left: ScriptExpression;
      readonly right: ScriptExpression;
      /** Divisions are unsigned. */
      readonly isUnsigned?: boolean;
      readonly place: SourcePlace;
    }
  | {
      readonly op: 'compare';
      readonly operator: Comparison;
      readonly of: 'long' | 'string';
      readonly left: ScriptExpression;
      readonly right: ScriptExpression;
      readonly isUnsigned?: boolean;
    }
  | { readonly op: '&&' | '||'; readonly left: ScriptExpression; readonly right: ScriptExpression }
  | { readonly op: 'choose'; readonly condition: ScriptExpression; readonly yes: ScriptExpression; readonly no: ScriptExpression }
  | { readonly op: 'join'; readonly left: ScriptExpression; readonly right: ScriptExpression }
  /** Whether a text has a match of a POSIX regular expression; `matched(n)` reads the last one. */
  | { readonly op: 'match'; readonly of: ScriptExpression; readonly pattern: string; readonly isNegated: boolean }
  /** A function of the script. */
  | { readonly op: 'call'; readonly index: number; readonly args: readonly ScriptExpression[] }
  /** A function of builtins.ts. */
  | {
      readonly op: 'builtin';
      readonly name: BuiltinName;
      readonly args: readonly ScriptExpression[];
      readonly place: SourcePlace;
    }
  /** What the handler's point fetches: ScriptHandler.fetches[index]. A `value`. */
  | { readonly op: 'fetch'; readonly index: number }
  /** What ScriptHandler.saves[index] of the point's entry had, in the same call. */
  | { readonly op: 'saved'; readonly index: number }
  /** A `value` as an integer: a number is cut, `true` is 1, what is none is 0; of so many bytes if said. A long is cut. */
  | { readonly op: 'to long'; readonly of: ScriptExpression; readonly size?: 1 | 2 | 4 | 8; readonly isSigned?: boolean }
  /** A `value` as text: a text is itself, others are shown as by func-args. A long in decimal; a stack as by printf(). */
  | { readonly op: 'to string'; readonly of: ScriptExpression }
  /** A `value` as func-args shows it: `$x$`; `isDeep`: `$x$$`. */
  | { readonly op: 'show'; readonly of: ScriptExpression; readonly isDeep: boolean }
  /** A property of a `value` whose name the script computes: `$x[i]`. No getter and no Proxy is run. */
  | { readonly op: 'member'; readonly of: ScriptExpression; readonly key: ScriptExpression }
  | { readonly op: 'sprintf'; readonly format: PrintFormat; readonly args: readonly ScriptExpression[] }
  | { readonly op: 'tuple'; readonly elements: readonly ScriptExpression[] }
  | { readonly op: 'tuple element'; readonly of: ScriptExpression; readonly index: number };

/** A format of printf, parsed. */
export type PrintFormat = readonly (string | Conversion)[];
export interface Conversion {
  /** `d i u x X p b c s m M o n` of SystemTap, `d u x X p c s` and `r` of bpftrace. */
  readonly letter: string;
  /** `- + space 0 #` */
  readonly flags: string;
  /** `*`: the next argument says it. */
  readonly width?: number | '*';
  readonly precision?: number | '*';
  /** Low bytes of the integer that count: 4 for `%d` and `%x` of bpftrace, 8 for its `%lld`; absent: 8. */
  readonly bytes?: 1 | 2 | 4 | 8;
}

/** How the entries of an array are visited: `+` and `-` at a key (from 1), or at the value (0) or what is extracted of it. */
export interface VisitOrder {
  readonly by: number;
  readonly extract?: Extractor;
  readonly isDescending: boolean;
}

/** A statement; its place is named when MAXACTION is exceeded there. */
export type ScriptStatement = (
  | { readonly do: 'expression'; readonly expression: ScriptExpression }
  /** Into the script's output, in the order of time of all threads. */
  | { readonly do: 'print'; readonly format: PrintFormat; readonly args: readonly ScriptExpression[] }
  | {
      readonly do: 'if';
      readonly condition: ScriptExpression;
      readonly yes: readonly ScriptStatement[];
      readonly no: readonly ScriptStatement[];
    }
  /** `for` has its step here, so that `continue` takes it. */
  | {
      readonly do: 'while';
      readonly condition: ScriptExpression;
      readonly body: readonly ScriptStatement[];
      readonly step?: ScriptExpression;
    }
  | {
      readonly do: 'foreach';
      readonly id: number;
      /** Locals that get the keys; */
      readonly keys: readonly number[];
      /** and the value, unless it is an aggregate. */
      readonly value?: number;
      /** Only entries whose keys at these places are equal: `foreach ([a, b] in x[*, 1])`; undefined: any. */
      readonly slice?: readonly (ScriptExpression | undefined)[];
      readonly order?: VisitOrder;
      readonly limit?: ScriptExpression;
      readonly body: readonly ScriptStatement[];
    }
  /** The buckets of a histogram, from the first one; `keys` is the aggregate's, the others are locals. */
  | {
      readonly do: 'foreach bucket';
      readonly id: number;
      readonly keys: readonly ScriptExpression[];
      readonly bucket: number;
      readonly value?: number;
      readonly limit?: ScriptExpression;
      readonly body: readonly ScriptStatement[];
    }
  | { readonly do: 'break' | 'continue' | 'next' }
  | { readonly do: 'return'; readonly value?: ScriptExpression }
  /** `caught`: the local that gets the message. */
  | {
      readonly do: 'try';
      readonly body: readonly ScriptStatement[];
      readonly caught?: number;
      readonly handler: readonly ScriptStatement[];
    }
  /** Deletes an entry; without keys: all entries of an array, or a scalar back to 0, "" or no samples. */
  | { readonly do: 'delete'; readonly id: number; readonly keys?: readonly (ScriptExpression | undefined)[] }
  /** `print(@x)`, `print(@x, top, div)` of bpftrace; `zero(@x)` sets all values to 0. */
  | { readonly do: 'print map'; readonly id: number; readonly top?: ScriptExpression; readonly div?: ScriptExpression }
  | { readonly do: 'print element'; readonly id: number; readonly keys: readonly ScriptExpression[] }
  | { readonly do: 'zero'; readonly id: number }
  /** `{ ... }` */
  | { readonly do: 'block'; readonly body: readonly ScriptStatement[] }
) & { readonly place?: SourcePlace };

/** A function of the script. */
export interface ScriptFunction {
  readonly name: string;
  /** The types of its locals; the first are its parameters. */
  readonly locals: readonly ScriptType[];
  readonly parameters: number;
  /** Absent: it returns nothing. */
  readonly returns?: ScriptType;
  readonly body: readonly ScriptStatement[];
  /** The place of the name, named when MAXNESTING is exceeded. */
  readonly place?: SourcePlace;
}

/** Where a handler stands. Globs are those of ftrace's filters (base/glob.ts). */
export type ScriptPoint =
  /** When the script begins, ends, or has failed; lower priorities first. On the control thread. */
  | { readonly kind: 'begin' | 'end' | 'error'; readonly priority: number }
  | { readonly kind: 'never' }
  /** On the control thread. `randomNs`: so much more or less each time. */
  | { readonly kind: 'timer'; readonly everyNs: number; readonly randomNs?: number }
  /** Samples of each thread of the program, so often a second. */
  | { readonly kind: 'profile'; readonly everyNs: number }
  /** Calls, or ends of calls, of the functions that match; those that are loaded later too. */
  | {
      readonly kind: 'function';
      readonly at: 'entry' | 'return' | 'settled';
      readonly symbol: string;
      /** Absent: the application's own functions and those of every package; '': the application's own. */
      readonly module?: string;
      /** The file as its author has it, or the end of its path, or a glob. */
      readonly file?: string;
      /** A line of the function, from the file's first. */
      readonly line?: number;
      /** The most calls under way at a time whose end is heard. */
      readonly maxactive?: number;
    }
  /** `FILE:LINE`, or `symbol` and a line behind its first one. */
  | { readonly kind: 'statement'; readonly file: string; readonly line: number; readonly symbol?: string }
  /** An event; `fetch` reads its fields by `variable`. */
  | { readonly kind: 'event'; readonly system: string; readonly name: string };

export interface ScriptHandler {
  readonly point: ScriptPoint;
  /** The point as the script names it, with aliases and globs resolved: what `pn()`, `pp()` and `probe` say. */
  readonly name: string;
  readonly resolvedName: string;
  /** What it reads of the program: each a `value`. Names of parameters and locals are `variable`. */
  readonly fetches: readonly Fetch[];
  /** `@entry`: what is computed where the call begins, for `saved`; with `fetches` of the same handler. */
  readonly saves: readonly ScriptExpression[];
  /** The handler runs only where this is not 0; before the lock is taken if it reads no global. */
  readonly condition?: ScriptExpression;
  /** The types of its locals. */
  readonly locals: readonly ScriptType[];
  readonly body: readonly ScriptStatement[];
  readonly place: SourcePlace;
}

/** Limits of a script, with SystemTap's names. */
export const LIMITS = {
  MAXACTION: 1000,
  MAXACTION_INTERRUPTIBLE: 10000,
  MAXMAPENTRIES: 2048,
  MAXSTRINGLEN: 512,
  MAXNESTING: 32,
  MAXERRORS: 0,
  MAXSKIPPED: 100,
  MAXTRYLOCK: 1000,
} as const;
export type LimitName = keyof typeof LIMITS;
export type ScriptLimits = Readonly<Record<LimitName, number>>;

export interface ScriptProgram {
  readonly language: 'stap' | 'bpftrace';
  readonly globals: readonly GlobalVariable[];
  readonly functions: readonly ScriptFunction[];
  readonly handlers: readonly ScriptHandler[];
  readonly limits: ScriptLimits;
  /** Globals that are printed when the script has ended, in this order: those that it writes and never reads; all maps. */
  readonly printedAtEnd: readonly number[];
}
