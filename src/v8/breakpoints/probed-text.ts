import { fileURLToPath } from 'node:url';
import { SafeMap } from '../../base/safe-map.js';
import type { TextPart } from '../../ftrace/text.js';
import type { PlaceRange, ProbedFunction, ProbePlace } from '../../port/port.js';
import { SafeWeakMap } from '../realm/primordials.js';
import type { TextPositions, Texts } from '../realm/texts.js';
import { restore } from '../text/restore.js';
import type { BreakpointFunction, BreakpointText } from './breakpoint-text.js';
import type { BreakLocation, DebuggerSession, Script } from './debugger-session.js';
import { ProbedScript, type StopPlace, type Unreadable } from './probed-script.js';

/** Where in a function, or in a text, to look for places. */
export interface Where {
  /** In units from the function's start. */
  readonly ranges: readonly PlaceRange[];
  readonly parts?: readonly TextPart[] | undefined;
  /** BreakpointRequest.isCatch */
  readonly isCatch?: true | undefined;
}

/** The text of a function: which of V8's scripts are made of it, and where its places are in them. */
export class ProbedText {
  readonly #positions: TextPositions;
  readonly #isOf: (script: Script) => boolean;
  /** Functions of a text without sites. */
  readonly #functions: readonly (BreakpointFunction | undefined)[] | undefined;
  readonly #firstFunction: number;
  readonly #unreadable: Unreadable;
  readonly #read = new SafeWeakMap<Script, ProbedScript>();
  /** The text's scripts among the first `#seen` of those that a session has announced. */
  #scripts: Script[] = [];
  #session: DebuggerSession | undefined;
  #seen = 0;

  constructor(positions: TextPositions, isOf: (script: Script) => boolean, unreadable: Unreadable, siteless?: BreakpointText) {
    this.#positions = positions;
    this.#isOf = isOf;
    this.#unreadable = unreadable;
    this.#functions = siteless?.functions;
    this.#firstFunction = siteless?.firstFunction ?? 0;
  }

  isMadeOf(script: Script): boolean {
    return this.#isOf(script);
  }

  scripts(session: DebuggerSession): readonly Script[] {
    if (session !== this.#session) {
      this.#session = session;
      this.#scripts = [];
      this.#seen = 0;
    }
    const { announced } = session;
    for (; this.#seen < announced.length; this.#seen++) {
      const script = announced[this.#seen]!;
      if (this.#isOf(script)) this.#scripts.push(script);
    }
    return this.#scripts;
  }

  isCompiled(session: DebuggerSession): boolean {
    return this.scripts(session).length > 0;
  }

  /** The places of a function in the first script; undefined if there is none. */
  places(session: DebuggerSession, one: ProbedFunction, { ranges, parts }: Where): readonly ProbePlace[] | undefined {
    const [script] = this.scripts(session);
    if (script === undefined) return undefined;
    const start = this.#offsetOf(one);
    const read = this.#scriptOf(session, script);
    const first = ranges[0]?.[0];
    return ranges
      .flatMap(([from, to]) => {
        const places = read.places(start + from, start + to, parts);
        // An inner arrow with an expression for a body returns where it ends.
        return from === first
          ? places
          : places.filter((place) => place.offset !== start + from || place.location.type !== 'return');
      })
      .map(({ offset, location }) => ({ offset: offset - start, line: location.lineNumber + 1, column: read.column(offset) }));
  }

  /** The text as it is without sites, of the first script; undefined if there is none. */
  original(session: DebuggerSession): string | undefined {
    const [script] = this.scripts(session);
    if (script === undefined) return undefined;
    const { start, base, length } = this.#positions;
    const whole = restore(session.source(script.scriptId));
    return this.#functions === undefined ? whole.slice(start - base, start - base + length) : whole;
  }

  /**
   * Sets a breakpoint at the first place in these ranges in one script; without ranges at the entry. Undefined if there is none.
   */
  set(
    session: DebuggerSession,
    script: Script,
    one: ProbedFunction,
    { ranges, parts, isCatch }: Where,
    condition: string,
  ): { readonly ids: readonly string[]; readonly offset: number } | undefined {
    const read = this.#scriptOf(session, script);
    const start = this.#offsetOf(one);
    if (isCatch === true) {
      const places = read.catchPlaces(start + ranges[0]![0]);
      return setAll(read, places, ranges[0]![0], condition);
    }
    const isEntry = ranges.length === 0 && parts === undefined;
    const place = isEntry ? this.#entry(read, one.n) : firstOf(read, start, ranges, parts);
    return place && setAll(read, [place.location], isEntry ? 0 : place.offset - start, condition);
  }

  #entry(read: ProbedScript, n: number): StopPlace | undefined {
    const one = this.#functions?.[n - this.#firstFunction];
    const location = one === undefined ? read.entry(n) : read.entryAmong(one);
    return location && { location, offset: 0 };
  }

  #offsetOf({ address }: ProbedFunction): number {
    return (address >>> 0) - this.#positions.base;
  }

  #scriptOf(session: DebuggerSession, script: Script): ProbedScript {
    let read = this.#read.get(script);
    if (read === undefined) {
      read = new ProbedScript(session, script, this.#positions, this.#unreadable);
      this.#read.set(script, read);
    }
    return read;
  }
}

function firstOf(read: ProbedScript, start: number, ranges: readonly PlaceRange[], parts: Where['parts']): StopPlace | undefined {
  for (const [from, to] of ranges) {
    const [first] = read.places(start + from, start + to, parts);
    if (first !== undefined) return first;
  }
  return undefined;
}

function setAll(
  read: ProbedScript,
  places: readonly BreakLocation[],
  offset: number,
  condition: string,
): { readonly ids: readonly string[]; readonly offset: number } | undefined {
  const ids = places.flatMap((place) => read.set(place, condition) ?? []);
  return ids.length === 0 ? undefined : { ids, offset };
}

/** The text that has a function; undefined if the thread has none. `known` keeps what was read of it. */
export function probedText(
  one: ProbedFunction,
  { texts, unreadable }: { readonly texts: Pick<Texts, 'atAddress'>; readonly unreadable: Unreadable },
  described: readonly BreakpointText[],
  known: Map<string, ProbedText>,
): ProbedText | undefined {
  const siteless = described.find((text) => holds(text, one));
  const found =
    siteless === undefined ? texts.atAddress(one.address >>> 0) : { name: siteless.file, positions: unchanged(siteless.base) };
  if (found === undefined) return undefined;
  const { name, positions } = found;
  const key = `${positions.base} ${name}`;
  let text = known.get(key);
  if (text === undefined) {
    const isOf = (script: Script): boolean =>
      siteless === undefined
        ? (script.url === name || pathOf(script.url) === name) && !isWithoutSites(script, positions)
        : siteless.scriptIds.includes(script.scriptId);
    text = new ProbedText(positions, isOf, unreadable, siteless);
    known.set(key, text);
  }
  return text;
}

/** Whether a function, or with a negative number a whole text, is one of a text without sites. */
export const holds = ({ firstFunction, functions, base }: BreakpointText, { n, address }: ProbedFunction): boolean =>
  n < 0 ? base === address >>> 0 : n >= firstFunction && n < firstFunction + functions.length;

/**
 * Whether a script is a text's original, which has sites where it runs. Node compiles a `.js` file of a package without a `type`
 * once before, to see whether it is a module.
 */
const isWithoutSites = (script: Script, text: TextPositions): boolean =>
  script.length === text.length && text.compiledOffset(text.length) !== text.length;

const same = (offset: number): number => offset;

const unchanged = (base: number): TextPositions => ({
  base,
  start: base,
  length: 0,
  originalColumn: (_line, column) => column,
  originalOffset: same,
  compiledOffset: same,
  isInserted: () => false,
  insertedIn: () => new SafeMap(),
});

const pathOf = (url: string): string => {
  try {
    return url.startsWith('file:') ? fileURLToPath(url) : url;
  } catch {
    return url;
  }
};
