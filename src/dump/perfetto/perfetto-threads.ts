import type { Track, WalkedRecording } from '../../output/trace-dat/calls/call-visitor.js';
import type { ReportSink } from '../../output/trace-dat/index.js';
import { CLOCK_ID } from './fields.js';
import { MessageWriter } from './message-writer.js';
import { Sequence, type SequenceClock } from './sequence.js';
import { NAMES_SEQUENCE, TrackNames } from './track-names.js';

/** The trace clocks whose times are those of Perfetto's monotonic clock; others are taken for the time since boot. */
const MONOTONIC = /^(mono|mono_raw|local|global)$/;

/** The sequences of a trace's threads, and its tracks. */
export class PerfettoThreads {
  readonly out: MessageWriter;
  readonly names: TrackNames;
  /** By the track's index. */
  readonly #sequences: (Sequence | undefined)[] = [];
  #clock: SequenceClock = { id: CLOCK_ID.boottime };

  constructor(sink: ReportSink) {
    this.out = new MessageWriter(sink);
    this.names = new TrackNames(this.out);
  }

  open({ isFentrys, clock, wall }: WalkedRecording): void {
    this.names.isFentrys = isFentrys;
    this.#clock = { id: MONOTONIC.test(clock) ? CLOCK_ID.monotonic : CLOCK_ID.boottime, wall };
  }

  /** The packets of a thread; `time`: of the first one, if there is none yet. */
  of(track: Track, time: number): Sequence {
    const known = this.#sequences[track.index];
    if (known !== undefined) return known;
    const uuid = this.names.thread(track);
    const sequence = new Sequence(this.out, NAMES_SEQUENCE + 1 + track.index, uuid, this.#clock, time);
    this.#sequences[track.index] = sequence;
    return sequence;
  }
}
