import { SafeMap } from '../../base/safe-map.js';
import type { TextPart, TextPlace } from '../../ftrace/text.js';
import type { TextPositions } from '../realm/texts.js';
import { LineStarts } from '../text/line-starts.js';
import type { BreakpointFunction } from './breakpoint-text.js';
import type { BreakLocation, DebuggerSession, Script } from './debugger-session.js';
import { possiblePlaces } from './place-breakpoints.js';

/** A place where V8 can stop, by its offset in the original text, as TextPositions counts. */
export interface StopPlace {
  readonly offset: number;
  readonly location: BreakLocation;
}

/** An arrow with an expression for a body returns inside of what was inserted at the expression's start. */
const RETURN = 'return ((';

/**
 * In the site at the beginning of a `catch`: what comes before a call, and the calls that come when a coroutine is back on the
 * stack.
 */
const CATCH = { sync: /^\$f\$*t&&/, coroutine: /^\$f\$*[ud]\(/ } as const;

/** Longer than the beginning of any site. */
const LONGEST = 64;

/** Given a script's source, and whether it is a module: where V8 stops, but must not evaluate anything. */
export type Unreadable = (source: string, isModule: boolean) => (offset: number) => boolean;

/** A script of V8 and the text that it was made of. */
export class ProbedScript {
  readonly #session: DebuggerSession;
  readonly #script: Script;
  readonly #positions: TextPositions;
  readonly #source: string;
  readonly #lines: LineStarts;
  readonly #isUnreadable: (offset: number) => boolean;

  constructor(session: DebuggerSession, script: Script, positions: TextPositions, unreadable: Unreadable) {
    this.#session = session;
    this.#script = script;
    this.#positions = positions;
    this.#source = session.source(script.scriptId);
    this.#lines = new LineStarts(this.#source);
    this.#isUnreadable = unreadable(this.#source, script.isModule ?? false);
  }

  /**
   * The places from `start` to `end`, without those in inserted code, in the order of the text; with parts only those in them.
   */
  places(start: number, end: number, parts?: readonly TextPart[] | undefined): readonly StopPlace[] {
    if (parts === undefined) return this.#placesIn(start, end);
    const found = parts.flatMap(({ from, to }) => {
      const first = Math.max(start, this.#originalOffset(from));
      const last = Math.min(end, this.#originalOffset(to));
      return first < last ? this.#placesIn(first, last) : [];
    });
    return found.sort((a, b) => a.offset - b.offset);
  }

  /** The column of an offset of the original text, from 0. */
  column(offset: number): number {
    const { line } = this.#lines.place(this.#positions.compiledOffset(offset));
    return offset - this.#lineStart(line);
  }

  #placesIn(start: number, end: number): readonly StopPlace[] {
    const found = new SafeMap<number, BreakLocation>();
    for (const location of this.#locations(this.#positions.compiledOffset(start), this.#positions.compiledOffset(end))) {
      const at = this.#offsetOf(location);
      if (at === undefined || this.#isOfSite(at) || this.#isUnreadable(at)) continue;
      const offset = this.#positions.originalOffset(at);
      if (!found.has(offset)) found.set(offset, location);
    }
    return [...found].map(([offset, location]) => ({ offset, location }));
  }

  /** Where the entry site of function `n` looks at its cell: reached once a call, before all else. */
  entry(n: number): BreakLocation | undefined {
    const site = new RegExp(`(?:if\\()?typeof \\$f\\$*${n}===`).exec(this.#source);
    return site === null ? undefined : this.#locations(site.index, site.index + 1)[0];
  }

  /** The places in the site of the `catch` whose first unit is at this offset. */
  catchPlaces(offset: number): readonly BreakLocation[] {
    const all = this.#locations(this.#positions.compiledOffset(offset), this.#positions.compiledOffset(offset + 1));
    const matching = (pattern: RegExp): readonly BreakLocation[] =>
      all.filter((location) =>
        pattern.test(this.#source.slice(this.#offsetOf(location), (this.#offsetOf(location) ?? 0) + LONGEST)),
      );
    const sync = matching(CATCH.sync);
    return sync.length > 0 ? sync : matching(CATCH.coroutine);
  }

  /** The first place in a function of a text without sites. */
  entryAmong({ start, end, inner }: BreakpointFunction): BreakLocation | undefined {
    return possiblePlaces(this.#session, this.#script.scriptId, { start, end, inner })[0];
  }

  /** Makes V8 evaluate `condition` at a place. Undefined if V8 has no place exactly there. */
  set(location: BreakLocation, condition: string): string | undefined {
    return this.#session.setBreakpoint(location, condition);
  }

  #originalOffset({ line, column }: TextPlace): number {
    return this.#lineStart(line - 1) + column;
  }

  /** Where a line (from 0) begins in the original text; behind the last line: its end. */
  #lineStart(line: number): number {
    return this.#positions.originalOffset(this.#lines.offset({ line, column: 0 }) ?? this.#source.length);
  }

  /** Whether V8 stops there only because of what was inserted: inside of it, or at an operand because of a comma before it. */
  #isOfSite(at: number): boolean {
    if (this.#positions.isInserted(at)) return !this.#source.startsWith(RETURN, at);
    return this.#source[at - 1] === ',' && this.#positions.isInserted(at - 1);
  }

  #locations(start: number, end: number): readonly BreakLocation[] {
    return this.#session.locations(this.#location(start), this.#location(end), false);
  }

  #location(offset: number): BreakLocation {
    const { scriptId, startLine, startColumn } = this.#script;
    const { line, column } = this.#lines.place(offset);
    return { scriptId, lineNumber: line + startLine, columnNumber: line === 0 ? column + startColumn : column };
  }

  #offsetOf({ lineNumber, columnNumber = 0 }: BreakLocation): number | undefined {
    const { startLine, startColumn } = this.#script;
    const line = lineNumber - startLine;
    return this.#lines.offset({ line, column: line === 0 ? columnNumber - startColumn : columnNumber });
  }
}
