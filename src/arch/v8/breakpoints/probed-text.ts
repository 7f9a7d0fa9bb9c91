import { fileURLToPath } from 'node:url';
import type { PlaceRange, ProbedFunction, ProbePlace } from '../../port.js';
import { SafeWeakMap } from '../realm/primordials.js';
import type { TextPositions, Texts } from '../realm/texts.js';
import type { DebuggerSession, Script } from './debugger-session.js';
import type { EarlyFunction, EarlyText } from './early-text.js';
import { ProbedScript } from './probed-script.js';

/** The text of a function: which of V8's scripts are made of it, and where its places are in them. */
export class ProbedText {
  readonly #positions: TextPositions;
  readonly #isOf: (script: Script) => boolean;
  /** Of a text without sites. */
  readonly #early: readonly (EarlyFunction | undefined)[] | undefined;
  readonly #firstEarly: number;
  readonly #read = new SafeWeakMap<Script, ProbedScript>();

  constructor(positions: TextPositions, isOf: (script: Script) => boolean, early?: EarlyText) {
    this.#positions = positions;
    this.#isOf = isOf;
    this.#early = early?.functions;
    this.#firstEarly = early?.firstFunction ?? 0;
  }

  isMadeOf(script: Script): boolean {
    return this.#isOf(script);
  }

  scripts(session: DebuggerSession): readonly Script[] {
    return session.announced.filter((script) => this.#isOf(script));
  }

  isCompiled(session: DebuggerSession): boolean {
    return session.announced.some((script) => this.#isOf(script));
  }

  /** The places of a function in the first script; undefined if there is none. */
  places(session: DebuggerSession, one: ProbedFunction, ranges: readonly PlaceRange[]): readonly ProbePlace[] | undefined {
    const [script] = this.scripts(session);
    if (script === undefined) return undefined;
    const start = this.#offsetOf(one);
    const read = this.#scriptOf(session, script);
    const first = ranges[0]?.[0];
    return ranges
      .flatMap(([from, to]) => {
        const places = read.places(start + from, start + to);
        // An inner arrow with an expression for a body returns where it ends.
        return from === first
          ? places
          : places.filter((place) => place.offset !== start + from || place.location.type !== 'return');
      })
      .map(({ offset, location }) => ({ offset: offset - start, line: location.lineNumber + 1 }));
  }

  /** Sets a breakpoint in one script. Undefined if there is no such place in it. */
  set(session: DebuggerSession, script: Script, one: ProbedFunction, offset: number, condition: string): string | undefined {
    const read = this.#scriptOf(session, script);
    const at = this.#offsetOf(one) + offset;
    const location = offset === 0 ? this.#entry(read, one.n) : read.places(at, at + 1)[0]?.location;
    return location && read.set(location, condition);
  }

  #entry(read: ProbedScript, n: number) {
    const early = this.#early?.[n - this.#firstEarly];
    return early === undefined ? read.entry(n) : read.earlyEntry(early);
  }

  #offsetOf({ address }: ProbedFunction): number {
    return (address >>> 0) - this.#positions.base;
  }

  #scriptOf(session: DebuggerSession, script: Script): ProbedScript {
    let read = this.#read.get(script);
    if (read === undefined) {
      read = new ProbedScript(session, script, this.#positions);
      this.#read.set(script, read);
    }
    return read;
  }
}

/** The text that has a function; undefined if the thread has none. `known` keeps what was read of it. */
export function probedText(
  one: ProbedFunction,
  texts: Pick<Texts, 'atAddress'>,
  earlyTexts: readonly EarlyText[],
  known: Map<string, ProbedText>,
): ProbedText | undefined {
  const early = earlyTexts.find(
    ({ firstFunction, functions }) => one.n >= firstFunction && one.n < firstFunction + functions.length,
  );
  const found = early === undefined ? texts.atAddress(one.address >>> 0) : { name: early.file, positions: unchanged(early.base) };
  if (found === undefined) return undefined;
  const { name, positions } = found;
  const key = `${positions.base} ${name}`;
  let text = known.get(key);
  if (text === undefined) {
    const isOf = ({ url, scriptId }: Script): boolean =>
      early === undefined ? url === name || pathOf(url) === name : early.scriptIds.includes(scriptId);
    text = new ProbedText(positions, isOf, early);
    known.set(key, text);
  }
  return text;
}

const same = (offset: number): number => offset;

const unchanged = (base: number): TextPositions => ({
  base,
  start: base,
  length: 0,
  originalColumn: (_line, column) => column,
  originalOffset: same,
  compiledOffset: same,
  isInserted: () => false,
  insertedIn: () => new Map(),
});

const pathOf = (url: string): string => {
  try {
    return url.startsWith('file:') ? fileURLToPath(url) : url;
  } catch {
    return url;
  }
};
