import { createRequire } from 'node:module';
import type { SampledCall } from '../../../answers/slow/sampled-turn.js';
import { attempt } from '../../../base/attempt.js';
import type { AuthorFrames } from '../../inspect/author-frames.js';
import { pathOf } from '../../inspect/author-frames.js';
import type { EndedCall } from '../../instrument/index.js';
import { readText } from '../../loader/source-map.js';
import type { SampledFrame } from '../../shared/turn-sample.js';

/** The parser is a bundle that the control thread rarely needs. */
const parser = (): typeof import('../../instrument/index.js') => createRequire(import.meta.url)('./instrument.cjs');

/** The longest text that is parsed, in characters: the control thread does nothing else meanwhile. */
const LONGEST = 500_000;
/** Places that are remembered. */
const MOST = 1000;

/**
 * Finds what native code a thread was in before it could be interrupted, which is when it entered its next function: the text
 * says which call ended last before that.
 */
export class EndedCalls {
  readonly #frames: AuthorFrames;
  readonly #known = new Map<string, readonly EndedCall[]>();

  constructor(frames: AuthorFrames) {
    this.#frames = frames;
  }

  /**
   * The calls that had ended, innermost first, and then their caller, where it was when it called them. Undefined: the text does
   * not say it.
   * @param caller of the function that was about to be entered, whose name is `entered`
   */
  before(caller: SampledFrame, entered: string): readonly SampledCall[] | undefined {
    const ended = this.#ended(caller, entered);
    const [first] = ended;
    if (first === undefined) return undefined;
    const calls: SampledCall[] = [this.#call({ ...caller, ...first.place })];
    ended.forEach(({ name, from, isBuiltIn }, i) => {
      if (from === undefined) {
        calls.unshift({ frame: { name, isOwn: false, ...(isBuiltIn && { package: 'node' }) }, isAsync: false });
        return;
      }
      const place = ended[i + 1]?.place ?? from;
      calls.unshift(this.#call({ ...caller, ...place, name, fromLine: from.line, fromColumn: from.column, isAsync: false }));
    });
    return calls;
  }

  #call(frame: SampledFrame): SampledCall {
    const { url, fromLine, fromColumn, isAsync } = frame;
    return { frame: this.#frames.frame(frame), from: this.#frames.place(url, fromLine, fromColumn), isAsync };
  }

  #ended({ url, line, column }: SampledFrame, entered: string): readonly EndedCall[] {
    const file = pathOf(url);
    const key = `${file}:${line}:${column} ${entered}`;
    let ended = this.#known.get(key);
    if (ended === undefined) {
      const text = file.startsWith('/') ? attempt(() => readText(file)) : undefined;
      const isShort = text !== undefined && text.length <= LONGEST;
      ended = isShort ? parser().lastCallsBefore(text, { line, column }, entered) : [];
      if (this.#known.size === MOST) this.#known.clear();
      this.#known.set(key, ended);
    }
    return ended;
  }
}
