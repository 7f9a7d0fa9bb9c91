import { setTimeout as sleep } from 'node:timers/promises';
import { TraceError } from '../../base/errno.js';
import { chosenProcess, type TraceableProcess } from '../../client/processes.js';
import { whyStopped } from '../../client/stopped-process.js';
import { TraceClient } from '../../client/trace-client.js';
import { UndoAtEnd } from '../../client/undo-at-end.js';
import { isGone } from '../is-gone.js';
import { Changes } from './changes.js';
import { SharedPipe } from './shared-pipe.js';

/** Milliseconds that a process has for an answer that costs it little. */
const SOON = 10_000;
/** Milliseconds until a page that was left is known to be, and the most that what it has used takes to end. */
const LEAVING = 50;
const CLOSING = 3000;

/** A process that runs with fentry, as the pages of this server use it. */
export class LiveProcess {
  readonly traceable: TraceableProcess;
  readonly client: TraceClient;
  readonly changes: Changes;
  readonly tracePipe: SharedPipe;
  /** The instances that pages have for the hits of probes, each with a client of its own folder. */
  readonly hitInstances = new Set<TraceClient>();
  isRecorded = false;
  readonly #profiles = new Set<{ readonly signal: AbortSignal; readonly over: Promise<unknown> }>();

  constructor(traceable: TraceableProcess) {
    const client = new TraceClient(traceable.pid, traceable.socketPath);
    this.traceable = traceable;
    this.client = client;
    this.tracePipe = new SharedPipe((signal) => followed(traceable.socketPath, 'trace_pipe', signal));
    this.changes = new Changes(client, async ({ path, text }, make) => {
      if (path === 'current_tracer') return this.withTracerFree(make);
      const [, probe] = path === 'dynamic_events' ? (/^-:(.+)$/.exec(text) ?? []) : [];
      if (probe !== undefined) await this.hideHits(probe);
      return make();
    });
  }

  /** Keeps a use of the function profiler, until it is over. */
  profiles(signal: AbortSignal, over: Promise<unknown>): void {
    const use = { signal, over };
    this.#profiles.add(use);
    const forget = (): void => void this.#profiles.delete(use);
    over.then(forget, forget);
  }

  /** Waits until the profiler is off for views that were just left. */
  async viewsLeft(): Promise<void> {
    if (this.#profiles.size > 0) await sleep(LEAVING);
    const left = [...this.#profiles].filter(({ signal }) => signal.aborted).map(({ over }) => over.catch(() => {}));
    if (left.length > 0) await Promise.race([Promise.all(left), sleep(CLOSING, undefined, { ref: false })]);
  }

  /** Does something for which no page may hold the tracer: who reads the pipe, or profiles, keeps it from being changed. */
  async withTracerFree<T>(work: () => Promise<T>): Promise<T> {
    await this.viewsLeft();
    return this.tracePipe.without(work);
  }

  /** Switches a probe off in the instances of pages: one that is on cannot be removed. @param probe `GROUP/EVENT` */
  async hideHits(probe: string): Promise<void> {
    for (const instance of this.hitInstances) await instance.write(`events/${probe}/enable`, '0\n').catch(refused);
  }

  get pid(): number {
    return this.traceable.pid;
  }
}

/** The page of an instance may be closed at the same time. */
function refused(error: unknown): void {
  if (!(error instanceof TraceError)) throw error;
}

/** A file of a process that waits for more, until `signal` aborts; then it is closed. */
async function* followed(socketPath: string, path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const session = await UndoAtEnd.connect(socketPath);
  try {
    yield* session.follow(path, signal);
  } finally {
    session.close();
  }
}

/** The processes that pages have asked of. */
export class LiveProcesses {
  readonly #known = new Map<number, LiveProcess>();

  get all(): readonly LiveProcess[] {
    return [...this.#known.values()];
  }

  /** One of them. TraceError ENODEV if it does not run with fentry. */
  async of(pid: number): Promise<LiveProcess> {
    const known = this.#known.get(pid);
    if (known !== undefined) return known;
    const one = new LiveProcess(await chosenProcess(pid));
    // Another page may have asked meanwhile.
    const first = this.#known.get(pid) ?? one;
    this.#known.set(pid, first);
    return first;
  }

  /**
   * Asks a process something, in a time. A process that has ended is forgotten.
   * @throws TraceError as `work` does; ETIMEDOUT if there is no answer, EAGAIN if that is because it is stopped
   */
  async ask<T>(pid: number, work: (one: LiveProcess, client: TraceClient) => Promise<T>, milliseconds = SOON): Promise<T> {
    const one = await this.of(pid);
    // A client of its own: its requests end together.
    const client = new TraceClient(one.pid, one.traceable.socketPath);
    try {
      return await inTime(work(one, client), pid, milliseconds);
    } catch (error) {
      client.abandon();
      if (isGone(error) && this.#known.get(pid) === one) this.#known.delete(pid);
      throw error;
    }
  }
}

/** What a promise resolves to; TraceError if it takes longer. */
async function inTime<T>(answer: Promise<T>, pid: number, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const why = whyStopped(pid);
      if (why !== undefined) reject(new TraceError('EAGAIN', `process ${pid} ${why}: it cannot answer`));
      else reject(new TraceError('ETIMEDOUT', `process ${pid} has not answered for ${milliseconds / 1000} s`));
    }, milliseconds);
  });
  try {
    answer.catch(() => {});
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
