import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { GapSample } from '../../ftrace/tracers/hwlat/sample-gaps.js';
import type { SampleRequest, TracedThread } from '../../port/port.js';
import type { HwlatSettings } from './hwlat-settings.js';

/** The least pause between two samples, in milliseconds. */
const LEAST_REST = 1;
const US_PER_MS = 1000;

/** What the sampler of mode `none` answers. */
interface Sampled {
  readonly tid: number;
  readonly sample: GapSample | undefined;
}

/** What the detector needs of the instance whose tracer is hwlat. */
export interface HwlatNeeds {
  /** The threads that may be sampled. */
  threads(): readonly TracedThread[];
  request(): SampleRequest;
  /** Writes what a thread found that does not belong to the program. */
  record(sample: GapSample, tid: number, comm: string): void;
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
    const request = this.#needs.request();
    if (mode === 'none') this.#ownSampler().postMessage(request);
    else for (const thread of this.#sampled(mode === 'per-cpu')) thread.post({ type: 'sample', ...request });
    const rest = Math.max(LEAST_REST, (window - width) / US_PER_MS);
    this.#timer = setTimeout(() => this.#turn(), width / US_PER_MS + rest);
  }

  #sampled(all: boolean): readonly TracedThread[] {
    const threads = this.#needs.threads();
    if (all || threads.length === 0) return threads;
    return [threads[this.#next++ % threads.length]!];
  }

  #ownSampler(): Worker {
    if (this.#sampler !== undefined) return this.#sampler;
    // The bundle lies beside the one that this thread runs.
    const sampler = new Worker(join(dirname(process.argv[1]!), 'hwlatd.cjs'), {
      env: {},
      execArgv: [],
      argv: [],
      stdout: true,
      stderr: true,
      name: 'hwlatd',
    });
    sampler.on('message', ({ tid, sample }: Sampled) => {
      if (sample !== undefined) this.#needs.record(sample, tid, 'hwlatd');
    });
    sampler.on('error', () => {});
    sampler.unref();
    this.#sampler = sampler;
    return sampler;
  }
}
