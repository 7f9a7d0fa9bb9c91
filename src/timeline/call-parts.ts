import { PART_OF_CALL } from './columns-format.js';
import type { CallAddress, TimelineRecording } from './timeline-recording.js';

/** The parts of coroutines' calls: from a call to an `await`, from there to the next one, and so on. */
export class CallParts {
  readonly #byActivation = new Map<string, CallAddress[]>();
  readonly #recording: TimelineRecording;

  constructor(recording: TimelineRecording) {
    this.#recording = recording;
    for (const {
      rows,
      index: track,
      track: { pid },
    } of recording.tracks) {
      for (const { activations, flags, count, depth } of rows) {
        if (activations === undefined) continue;
        for (let index = 0; index < count; index++) {
          if ((flags[index]! & PART_OF_CALL) === 0 || activations[index]! < 0) continue;
          const key = `${pid} ${activations[index]}`;
          const parts = this.#byActivation.get(key);
          if (parts === undefined) this.#byActivation.set(key, [{ track, depth, index }]);
          else parts.push({ track, depth, index });
        }
      }
    }
    for (const parts of this.#byActivation.values()) parts.sort((a, b) => this.#start(a) - this.#start(b));
  }

  /** All parts of a call, in the order of time; none if it has only one, or that was not recorded. */
  of({ track, depth, index }: CallAddress): readonly CallAddress[] {
    const {
      rows,
      track: { pid },
    } = this.#recording.tracks[track]!;
    const activation = rows[depth]?.activations?.[index] ?? -1;
    return activation < 0 ? [] : (this.#byActivation.get(`${pid} ${activation}`) ?? []);
  }

  #start({ track, depth, index }: CallAddress): number {
    return this.#recording.tracks[track]!.rows[depth]!.starts[index]!;
  }
}
