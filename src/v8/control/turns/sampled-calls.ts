import { LATE } from '../../../answers/slow/fold-turn.js';
import type { CallArguments, Sample, SampledCall } from '../../../answers/slow/sampled-turn.js';
import { AuthorFrames } from '../../inspect/author-frames.js';
import type { PausedStack } from '../../inspect/paused-calls.js';
import type { SampledFrame } from '../../shared/turn-sample.js';
import { callArguments } from './call-arguments.js';
import { EndedCalls } from './ended-calls.js';
import { isEntry } from './is-entry.js';
import { SeenFunctions } from './seen-functions.js';

/** Makes calls, with the author's places, of what a thread tells of its stack. */
export class SampledCalls {
  readonly #frames = new AuthorFrames();
  readonly #ended = new EndedCalls(this.#frames);
  readonly #seen = new SeenFunctions();

  /** The calls of a stack. @param lateMs how long the thread took to answer, in milliseconds */
  of(frames: readonly SampledFrame[], lateMs: number): Pick<Sample, 'calls' | 'isByText'> {
    const [entered, caller] = frames;
    const isBehind = lateMs > LATE && caller !== undefined && caller.url !== '' && isEntry(entered!);
    const ended = isBehind ? this.#ended.before(caller, entered!.name) : undefined;
    const calls = [...(ended ?? []), ...frames.slice(ended === undefined ? 0 : 2).map((frame) => this.#call(frame))];
    for (let i = 0; i < calls.length; i++) this.#seen.see(calls[i]!);
    return { calls, ...(ended && { isByText: true }) };
  }

  /** The program's function that Node has called, by its name. */
  called(name: string): SampledCall {
    return this.#seen.get(name);
  }

  /** What the calls of a thread were given that is held. */
  argumentsOf(paused: PausedStack): readonly CallArguments[] {
    return callArguments(paused, this.#frames);
  }

  #call(sampled: SampledFrame): SampledCall {
    const { url, fromLine, fromColumn, isAsync } = sampled;
    const frame = this.#frames.frame(sampled);
    if (fromLine === 0 || url === '') return { frame, isAsync };
    return { frame, from: this.#frames.place(url, fromLine, fromColumn), isAsync, ...(isEntry(sampled) && { isEntry: true }) };
  }
}
