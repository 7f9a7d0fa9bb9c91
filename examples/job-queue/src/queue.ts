// A queue that runs a few jobs at a time, and failed ones again.
import { jobAdded, jobDone, jobRetry, jobStart, queueDrained } from './trace.js';

export interface Job {
  readonly id: number;
  readonly name: string;
  /** When it was added, in milliseconds. */
  readonly added: number;
  readonly work: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** How often it was started. */
  attempt: number;
}

export class JobQueue {
  readonly #waiting: Job[] = [];
  readonly #concurrency: number;
  readonly #attempts: number;
  #running = 0;
  #added = 0;
  #done = 0;

  constructor({ concurrency = 2, attempts = 3 } = {}) {
    this.#concurrency = concurrency;
    this.#attempts = attempts;
  }

  /** Runs `work` when its turn comes: gives what it returns, or what its last attempt threw. */
  add(name: string, work: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const job: Job = { id: ++this.#added, name, added: performance.now(), work, resolve, reject, attempt: 0 };
      jobAdded(job);
      this.#waiting.push(job);
      this.#startWaiting();
    });
  }

  #startWaiting(): void {
    while (this.#running < this.#concurrency) {
      const job = this.#waiting.shift();
      if (job === undefined) break;
      void this.#run(job);
    }
  }

  async #run(job: Job): Promise<void> {
    this.#running++;
    job.attempt++;
    jobStart(job);
    jobRetry(job);
    const started = performance.now();
    try {
      const result = await job.work();
      this.#done++;
      // To print the result takes time: only if somebody listens.
      if (jobDone.enabled()) jobDone(job, started - job.added, performance.now() - started, JSON.stringify(result) ?? '');
      job.resolve(result);
    } catch (error) {
      if (job.attempt < this.#attempts) this.#waiting.push(job);
      else job.reject(error);
    }
    this.#running--;
    this.#startWaiting();
    if (this.#running === 0) queueDrained(this.#done);
  }
}
