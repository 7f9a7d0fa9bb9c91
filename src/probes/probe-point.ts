import type { ProbeArgument } from './probe-definition.js';

/** Where a thread hears a probe. */
export type PointPlace =
  /**
   * The patch sites of these functions: when they are called, when they end, or when the promise that they return has settled.
   */
  | { readonly kind: 'entry' | 'return' | 'settled'; readonly functions: readonly number[] }
  /** A breakpoint in function `n` at the first place in these ranges, in source units from its start; none: at its entry. */
  | {
      readonly kind: 'breakpoint';
      readonly n: number;
      readonly address: number;
      /** TextFunction.kind */
      readonly functionKind: number;
      readonly ranges: readonly (readonly [from: number, to: number])[];
      /** Only places in these parts of the text count: lines from 1, columns from 0. */
      readonly parts?: readonly Readonly<Record<'from' | 'to', { readonly line: number; readonly column: number }>>[] | undefined;
    }
  /**
   * The site of a statement of function `n`: its number among those, and its address. Of what it passes, names have become
   * `argument`s.
   */
  | { readonly kind: 'statement'; readonly n: number; readonly index: number; readonly address: number }
  /** A tracepoint of the program or of fentry. */
  | { readonly kind: 'tracepoint'; readonly system: string; readonly event: string; readonly source?: string | undefined }
  /** Another event with these fields, whose EventConfig names this one as a cause. */
  | { readonly kind: 'event'; readonly fields: readonly string[] };

type SitePlace = Extract<PointPlace, { readonly functions: readonly number[] }>;

/** Whether a probe is heard at the patch sites of functions. */
export const isAtSites = (place: PointPlace): place is SitePlace => 'functions' in place;

/** A handler of a script, which a point runs in place of having an event recorded. */
export interface PointHandler {
  /** The script, by its number; and the handler's place in its code. */
  readonly script: number;
  readonly handler: number;
  /** What the functions are called in which the point stands. */
  readonly functions: readonly PointFunction[];
  /** Whether it shows all that its function was called with. */
  readonly readsParameters: boolean;
}

/** A function in which a handler of a script stands. */
export interface PointFunction extends Pick<PointSymbol, 'name' | 'module'> {
  readonly n: number;
  /** The names of its parameters; empty if the handler does not show them. */
  readonly params: readonly string[];
}

/** A probe as a thread runs it. */
export interface PointConfig {
  /** One for each probe; several may cause the same event. */
  readonly id: number;
  /** The event: `SYSTEM:EVENT`. */
  readonly event: string;
  /** Present: no event is recorded. The values of `args` are what the handler fetches. */
  readonly handler?: PointHandler;
  readonly place: PointPlace;
  /** At an entry, names of parameters have become `argument`s. */
  readonly args: readonly ProbeArgument[];
  /** At most so many calls of a function that are under way are heard when they end; 0: any number. */
  readonly maxactive: number;
  /** Indices of the words (EventWords) that count its hits and those that were missed; a handler counts them itself. */
  readonly hits: number;
  readonly missed: number;
}

/** A function, or other text with a name. */
export interface PointSymbol {
  readonly name: string;
  /** '' for the application's own. */
  readonly module: string;
  readonly address: number;
  readonly size: number;
}

/** What a thread is told of probes. */
export type PointChange =
  | { readonly type: 'add'; readonly point: PointConfig }
  | { readonly type: 'remove'; readonly id: number }
  /** The symbols that arguments of type symstr need: those of texts that are new. None: they are not needed any more. */
  | { readonly type: 'symbols'; readonly symbols: readonly PointSymbol[] };
