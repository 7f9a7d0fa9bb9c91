import { isEndOf } from '../../base/is-end-of.js';
import type { AuthorsLines, AuthorsPlace, LinkedText, TextPart } from '../../ftrace/text.js';
import type { PlaceRange, PortCommand, ProbedFunction, ProbePlace, TracedThread } from '../../port/port.js';
import type { TextTable } from './text-table.js';

/** From a unit of the text up to another, which is not part of it. */
interface UnitRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The parts of a text that belong to a function and to none inside it, from the function's start. The first unit of an inner
 * function is the outer one's: V8 stops there before it makes the inner function.
 * @param inner the functions in the text, those inside the function and others, in the order of their starts
 */
export function rangesWithoutInner(
  { start, end }: UnitRange,
  inner: readonly UnitRange[],
): readonly (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = [];
  let from = start + 1;
  for (const one of inner) {
    if (one.start < from - 1 || one.start >= end || (one.start === start && one.end >= end)) continue;
    ranges.push([from - start, one.start + 1 - start]);
    from = one.end;
  }
  ranges.push([from - start, end - start]);
  return ranges.filter(([first, last]) => first < last);
}

/** A place, and the line that its author sees. */
export interface AuthorsProbePlace extends ProbePlace {
  readonly file: string;
  /** The line of `file`, from 1; undefined: it was not in the original source. */
  readonly authorsLine: number | undefined;
}

/** Part of a text where a probe may stand. */
export interface AskedPlaces {
  readonly probed: ProbedFunction;
  readonly ranges: readonly PlaceRange[];
  readonly parts?: readonly TextPart[];
}

type Answer = readonly ProbePlace[] | string;

/** Functions are numbered from 0; this stands for a whole text. */
export const NO_FUNCTION = -1;

/** What the threads answer: where in texts a probe can stand. */
export class ProcessPlaces {
  readonly #threads: () => Iterable<TracedThread>;
  readonly #table: TextTable;
  readonly #answers = new Map<number, Answer | undefined>();
  readonly #lines = new WeakMap<LinkedText, { readonly lines: AuthorsLines | undefined }>();
  /** Places of functions that threads have compiled: asking takes V8 some 10 ms, because a debugger is switched on for it. */
  readonly #known = new Map<number, readonly AuthorsProbePlace[]>();
  #lastCall = 0;

  /** @param threads the living threads, which are asked */
  constructor(threads: () => Iterable<TracedThread>, table: TextTable) {
    this.#threads = threads;
    this.#table = table;
  }

  /**
   * The places in function `n`, and in none inside it, where a probe can stand, in the order of the text. Undefined if no thread
   * that answers has compiled it.
   */
  async of(n: number): Promise<readonly AuthorsProbePlace[] | undefined> {
    const known = this.#known.get(n);
    if (known !== undefined) return known;
    const text = this.#table.textOf(n);
    const one = this.#table.function(n);
    const probed = { n, address: this.#table.address(n), kind: one.kind };
    const places = this.#authors(text, await this.#ask({ probed, ranges: rangesWithoutInner(one, text.functions) }));
    if (places?.every(isFixed)) this.#known.set(n, places);
    return places;
  }

  /**
   * The places of a text on a line of a file, as offsets from the text's start. Undefined as above, or if the text has nothing of
   * it.
   */
  async onLine(text: LinkedText, file: string, line: number): Promise<readonly AuthorsProbePlace[] | undefined> {
    const asked = this.lineOf(text, file, line);
    return asked && this.#authors(text, await this.#ask(asked));
  }

  /** All places of a text, as offsets from its start. Undefined as above. */
  async ofText(text: LinkedText): Promise<readonly AuthorsProbePlace[] | undefined> {
    const probed = { n: NO_FUNCTION, address: text.base, kind: 0 };
    return this.#authors(text, await this.#ask({ probed, ranges: [[0, text.length]] }));
  }

  /** Where in a text a line of a file is; undefined if the text has nothing of the file. */
  lineOf(text: LinkedText, file: string, line: number): AskedPlaces | undefined {
    const parts = this.#authorsLines(text)?.partsOf(file, line) ?? (isEndOf(file, text.file) ? wholeLine(line) : undefined);
    if (parts === undefined) return undefined;
    return { probed: { n: NO_FUNCTION, address: text.base, kind: 0 }, ranges: [[0, text.length]], parts };
  }

  /** A text as the program has loaded it. Undefined as above. */
  async sourceOf(text: LinkedText): Promise<string | undefined> {
    const probed = { n: NO_FUNCTION, address: text.base, kind: 0 };
    return (await this.#answer((call) => ({ type: 'text', call, probed }))) as string | undefined;
  }

  /** The place in its author's source of an offset in a text; undefined for what was not there. */
  authorsLine(text: LinkedText, line: number, column: number): AuthorsPlace | undefined {
    const lines = this.#authorsLines(text);
    return lines === undefined ? { file: text.file, line } : lines.placeOf(line, column);
  }

  /** A thread's answer. */
  told(call: number, answer: Answer | undefined): void {
    this.#answers.set(call, answer);
  }

  async #ask(asked: AskedPlaces): Promise<readonly ProbePlace[] | undefined> {
    return (await this.#answer((call) => ({ type: 'places', call, ...asked }))) as readonly ProbePlace[] | undefined;
  }

  /** The answer of the first thread that has one. */
  async #answer(ask: (call: number) => PortCommand): Promise<Answer | undefined> {
    for (const thread of [...this.#threads()]) {
      const call = ++this.#lastCall;
      await thread.send(ask(call));
      const answer = this.#answers.get(call);
      this.#answers.delete(call);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  #authors(text: LinkedText, places: readonly ProbePlace[] | undefined): readonly AuthorsProbePlace[] | undefined {
    const lines = this.#authorsLines(text);
    return places?.map((place) => {
      if (lines === undefined) return { ...place, file: text.file, authorsLine: place.line };
      const authors = lines.placeOf(place.line, place.column);
      return { ...place, file: authors?.file ?? text.file, authorsLine: authors?.line };
    });
  }

  #authorsLines(text: LinkedText): AuthorsLines | undefined {
    let known = this.#lines.get(text);
    if (known === undefined) {
      known = { lines: text.authorsLines?.() };
      this.#lines.set(text, known);
    }
    return known.lines;
  }
}

/** Whether it is a place of V8's: what can stand at one of machine code may change. */
const isFixed = ({ way, reason }: ProbePlace): boolean => way === undefined && reason === undefined;

const wholeLine = (line: number): readonly TextPart[] => [{ from: { line, column: 0 }, to: { line: line + 1, column: 0 } }];
