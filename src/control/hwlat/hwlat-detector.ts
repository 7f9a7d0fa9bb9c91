import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { writeHwlat } from '../../ftrace/tracers/hwlat/hwlat-record.js';
import type { GapSample } from '../../ftrace/tracers/hwlat/sample-gaps.js';
import type { MaxLatency } from '../../ftrace/tracers/latency/max-latency.js';
import type { RecordWriter } from '../../ftrace/tracers/record-writer.js';
import type { SampleRequest, TracedThread } from '../../port/port.js';
import type { HwlatSettings } from './hwlat-settings.js';

/** The least pause between two samples, in milliseconds. */
const LEAST_REST = 1;
const US_PER_MS = 1000;
const NS_PER_US = 1000;
/** The task in whose name the sampler of mode `none` records. */
const SAMPLER = 'hwlatd';

/** The program's garbage collector does not run on the sampler's thread. */
const NO_INTERRUPTIONS = { count: 0, totalUs: 0 };

/** What the sampler of mode `none` answers. */
interface Sampled {
  readonly tid: number;
  readonly sample: GapSample | undefined;
}

/** What the detector needs of the instance whose tracer is hwlat. */
export interface HwlatNeeds {
  /** The threads that may be sampled. */
  threads(): readonly TracedThread[];
  /** What the samples of all threads are compared with. */
  latency(): MaxLatency;
  /** Writes a record of a task that is no thread of the program. */
  write(tid: number, comm: string, write: (writer: RecordWriter) => boolean): boolean;
}

/** Makes a thread sample for `width` out of every `window`, while hwlat is the tracer (kthread_fn). */
export class HwlatDetector {
  readonly #settings: HwlatSettings;
  readonly #needs: HwlatNeeds;
  #timer: NodeJS.Timeout | undefined;
  #sampler: Worker | undefined;
  #next = 0;

  constructor(settings: HwlatSettings, needs: HwlatNeeds) {
    this.#settings = settings;
    this.#needs = needs;
  }

  start(): void {
    if (this.#timer === undefined) this.#turn();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#sampler?.terminate();
    this.#sampler = undefined;
  }

  /** The settings changed: a running detector uses the new ones. */
  restart(): void {
    if (this.#timer === undefined) return;
    this.stop();
    this.start();
  }

  #turn(): void {
    const { window, width, mode } = this.#settings;
    const { threshold, memory } = this.#needs.latency();
    const request = { widthUs: width, thresholdUs: Math.floor(threshold / NS_PER_US), max: memory } satisfies SampleRequest;
    if (mode === 'none') this.#startedSampler().postMessage(request);
    else for (const thread of this.#sampled(mode === 'per-cpu')) thread.post({ type: 'sample', ...request });
    const rest = Math.max(LEAST_REST, (window - width) / US_PER_MS);
    this.#timer = setTimeout(() => this.#turn(), width / US_PER_MS + rest);
  }

  #sampled(all: boolean): readonly TracedThread[] {
    const threads = this.#needs.threads();
    if (all || threads.length === 0) return threads;
    return [threads[this.#next++ % threads.length]!];
  }

  #startedSampler(): Worker {
    if (this.#sampler !== undefined) return this.#sampler;
    // The bundle lies beside the one that this thread runs.
    const sampler = new Worker(join(dirname(process.argv[1]!), 'hwlatd.cjs'), {
      env: {},
      execArgv: [],
      argv: [],
      stdout: true,
      stderr: true,
      name: SAMPLER,
    });
    sampler.on('message', ({ tid, sample }: Sampled) => {
      if (sample !== undefined) recordSample(this.#needs, sample, tid);
    });
    sampler.on('error', () => {});
    sampler.unref();
    this.#sampler = sampler;
    return sampler;
  }
}

/** Writes what the sampler of mode `none` found; a sample that is recorded may be a maximum. */
export function recordSample(needs: Pick<HwlatNeeds, 'latency' | 'write'>, sample: GapSample, tid: number): void {
  needs.write(tid, SAMPLER, (writer) => {
    const latency = needs.latency();
    const written = writeHwlat(writer, tid, latency.nextSequence(), sample, NO_INTERRUPTIONS);
    latency.raise(Math.max(sample.inner, sample.outer) * NS_PER_US);
    return written;
  });
}
