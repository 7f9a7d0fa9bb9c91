import { setTimeout as sleep } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import { isThread } from '../../base/thread-id.js';
import { runningThreads } from '../../base/thread-state.js';
import { MAX_THREADS } from '../../port/limits.js';
import type { TracedThreads } from '../../port/port.js';
import { ThreadHolds } from '../inspect/thread-holds.js';
import {
  type Asker,
  type ControlBlock,
  FORBIDDEN,
  releaseCpu,
  THREAD_STATE,
  THREAD_WORD,
  threadWord,
  WORD,
} from '../shared/control-block.js';
import { hallName, type ProcessShare, type ThreadEvent } from '../shared/protocol.js';
import { answerWorkers, workerExpression } from './attach-workers.js';
import type { InspectionNeeds } from './inspection-needs.js';
import { Interrupter } from './interrupt.js';
import { createMainSession } from './main-session.js';
import { ThreadConnection } from './thread-connection.js';
import { createWorkerGate, type WorkerGate } from './worker-evaluations.js';

/** When what the program's next start needs is stored, in milliseconds: not while it starts. */
const STORE_AFTER = 3000;
/** Milliseconds between checks of a thread that said that it ends. */
const FAREWELL = 20;
/** How long to look for workers, in milliseconds; and how long for one that has just been started, unless it is found or ends. */
const REACHING = 300;
const STARTING = 10_000;

/** The listener for starts and ends of threads, on the control thread. */
export interface ThreadsListener {
  /** A thread started; none of its events has been received yet. */
  started(thread: ThreadConnection): void;
  told(thread: ThreadConnection, event: ThreadEvent): void;
  ended(thread: ThreadConnection): void;
}

/** The program's threads that live, as the control thread knows them. */
export class Threads implements TracedThreads {
  readonly #share: ProcessShare;
  readonly #block: ControlBlock;
  readonly #listener: ThreadsListener;
  readonly #interrupter: Interrupter;
  /** For sessions of the inspector that ask threads for something. */
  readonly inspectionNeeds: InspectionNeeds;
  readonly #byCpu = new Map<number, ThreadConnection>();

  readonly #ownTid: number;
  #isStarted = false;

  /**
   * @param ownTid the control thread's id, which may have taken a cpu too
   * @param fentryFolder the URL of fentry's own files, if workers must be given their agents
   */
  constructor(share: ProcessShare, ownTid: number, listener: ThreadsListener, fentryFolder?: string) {
    this.#share = share;
    if (fentryFolder !== undefined) answerWorkers(share);
    this.#ownTid = ownTid;
    this.#block = new Int32Array(share.block);
    const mayInspect = (Atomics.load(this.#block, WORD.FORBIDDEN) & FORBIDDEN.INSPECTOR) === 0;
    const gateFor = (asker: Asker, isWanted: (cpu: number) => boolean = () => true): WorkerGate =>
      createWorkerGate(this.#block, asker, isWanted, fentryFolder !== undefined);
    const gate = gateFor('interrupter', (cpu) => this.#byCpu.get(cpu)?.hasObeyed === false);
    const main = createMainSession(this.#block);
    const holds = new ThreadHolds();
    this.#interrupter = new Interrupter(
      { mayInspect, main, holds },
      gate,
      fentryFolder && workerExpression(fentryFolder, share.nonce),
    );
    this.inspectionNeeds = {
      mayInspect,
      main,
      holds,
      gates: { answers: gateFor('answers'), turns: gateFor('turns'), allocations: gateFor('allocations') },
      known: () =>
        this.living.map(({ cpu, tid }) => ({ thread: Atomics.load(this.#block, threadWord(cpu, THREAD_WORD.WORKER)), tid })),
    };
    this.#listener = listener;
    const hall = new BroadcastChannel(hallName(share.nonce));
    hall.onmessage = () => this.look();
  }

  /** By cpu. */
  get living(): readonly ThreadConnection[] {
    return [...this.#byCpu.values()].sort((a, b) => a.cpu - b.cpu);
  }

  get(cpu: number): ThreadConnection | undefined {
    return this.#byCpu.get(cpu);
  }

  isThread(tid: number): boolean {
    return isThread(tid);
  }

  /** From now on threads are connected; a thread that waits for its first patches goes on then. */
  start(): void {
    this.#isStarted = true;
    this.look();
  }

  /**
   * Gives workers without an agent one, if they can be reached in some tenths of a second.
   * @param started the threadId of one that has just been started, which may take longer; -1 when it has ended already
   */
  async reachWorkers(started?: number): Promise<void> {
    const over = new AbortController();
    const found = started === undefined || started < 0 ? undefined : this.#interrupter.reached(started);
    const late = sleep(STARTING, undefined, { signal: over.signal }).catch(() => {});
    const time = Promise.all([sleep(REACHING), found && Promise.race([found, late])]).then(() => over.abort());
    this.#interrupter.until(time);
    await time;
    this.look();
  }

  /** Connects to new threads, and drops those that have ended. */
  look(): void {
    if (!this.#isStarted) return;
    for (const thread of this.#byCpu.values()) if (!isThread(thread.tid)) this.#end(thread);
    for (let cpu = 0; cpu < MAX_THREADS; cpu++) {
      const state = Atomics.load(this.#block, threadWord(cpu, THREAD_WORD.STATE));
      if (state === THREAD_STATE.FREE) break;
      const tid = Atomics.load(this.#block, threadWord(cpu, THREAD_WORD.TID));
      const listens = Atomics.load(this.#block, threadWord(cpu, THREAD_WORD.LISTENING)) !== 0;
      const isNew = listens && tid !== 0 && tid !== this.#ownTid && !this.#byCpu.has(cpu);
      if (state === THREAD_STATE.RUNNING && isNew) this.#connect(cpu, tid);
    }
  }

  #connect(cpu: number, tid: number): void {
    const thread: ThreadConnection = new ThreadConnection({
      nonce: this.#share.nonce,
      cpu,
      tid,
      parent: Atomics.load(this.#block, threadWord(cpu, THREAD_WORD.PARENT)),
      onEvent: (event) => {
        if (event.type === 'end') this.#awaitEnd(thread);
        this.#listener.told(thread, event);
      },
      gone: () => this.#awaitEnd(thread),
      interrupt: (obeyed) => this.#interrupter.until(obeyed),
      isHelped: () =>
        runningThreads('self').some((one) => one !== this.#ownTid && !this.living.some((known) => known.tid === one)),
    });
    this.#byCpu.set(cpu, thread);
    this.#listener.started(thread);
    const connected = threadWord(cpu, THREAD_WORD.CONNECTED);
    Atomics.store(this.#block, connected, 1);
    Atomics.notify(this.#block, connected);
    thread.post({ type: 'hello' });
    if (cpu === 0) setTimeout(() => thread.chore('store'), STORE_AFTER);
  }

  /** A thread still runs a little after it said that it ends; only when it is gone may another one write to its buffer. */
  #awaitEnd(thread: ThreadConnection): void {
    const timer = setInterval(() => {
      this.look();
      if (this.#byCpu.get(thread.cpu) !== thread) clearInterval(timer);
    }, FAREWELL);
    timer.unref();
  }

  #end(thread: ThreadConnection): void {
    this.#byCpu.delete(thread.cpu);
    thread.end();
    releaseCpu(this.#block, thread.cpu);
    this.#listener.ended(thread);
  }
}
