import { createRequire } from 'node:module';
import type { AllocationsAnswer, AllocationsRequest } from '../../answers/allocations/allocations-answer.js';
import type { BtAnswer, BtRequest } from '../../answers/bt/bt-answer.js';
import type { HandlesAnswer, HandlesRequest } from '../../answers/handles/handles-answer.js';
import type { HeapAnswer, HeapRequest } from '../../answers/heap/heap-answer.js';
import type { SlowTurn } from '../../answers/slow/slow-answer.js';
import type { WaitingAnswer, WaitingRequest } from '../../answers/waiting/waiting-answer.js';
import { TraceError } from '../../base/errno.js';
import { workingFolder } from '../../base/working-folder.js';
import type { Inspect, TurnWatching } from '../../port/inspect.js';
import { collectAllocations } from '../inspect/collect-allocations.js';
import { collectBt } from '../inspect/collect-bt.js';
import { collectHandles } from '../inspect/collect-handles.js';
import { collectHeap } from '../inspect/collect-heap.js';
import { collectWaiting } from '../inspect/collect-waiting.js';
import type { ThreadAsking } from '../inspect/each-thread.js';
import type { InspectorThread } from '../inspect/inspector-thread.js';
import type { InspectionNeeds } from './inspection-needs.js';
import { inspectorThread } from './inspector-session.js';
import { type TurnNeeds, TurnWatch } from './turns/turn-watch.js';

/** Milliseconds that a session may take, and between checks whether it must end. */
const PATIENCE = 5000;
/** For one that takes snapshots of heaps. */
const PATIENCE_SNAPSHOTS = 300_000;
const LOOK = 4;

/** Asks the threads of this process, by short sessions of the inspector, one after the other. */
export class Inspections implements Inspect {
  readonly #needs: InspectionNeeds;
  readonly #turns: TurnNeeds;
  readonly #watches = new Set<TurnWatch>();
  #last: Promise<unknown> = Promise.resolve();
  #lastLong: Promise<unknown> = Promise.resolve();

  constructor(needs: InspectionNeeds, turns: TurnNeeds) {
    this.#needs = needs;
    this.#turns = turns;
  }

  watchTurns(thresholdMs: number, found: (turn: SlowTurn) => void): TurnWatching {
    const watch = new TurnWatch(this.#turns, this.#needs, thresholdMs, found);
    this.#watches.add(watch);
    return {
      stop: () => {
        this.#watches.delete(watch);
        watch.stop();
      },
    };
  }

  bt(request: BtRequest): Promise<BtAnswer> {
    return this.inSession(async (session, over) => ({
      answer: 'bt',
      version: 1,
      ...here(),
      threads: await collectBt(session, {
        ...request,
        ...this.#asking(over),
        known: this.#needs.known(),
        // A worker that another session looks at, too, could stay held when it is terminated meanwhile.
        mayHold: (thread) => thread === 0 || this.#watches.size === 0,
      }),
    }));
  }

  waiting(request: WaitingRequest): Promise<WaitingAnswer> {
    return this.inSession(
      async (session, over) => ({
        answer: 'waiting',
        version: 1,
        ...here(),
        threads: await collectWaiting(session, { ...request, ...this.#asking(over) }),
      }),
      PATIENCE_SNAPSHOTS,
    );
  }

  handles(request: HandlesRequest): Promise<HandlesAnswer> {
    return this.inSession(
      async (session, over) => ({
        answer: 'handles',
        version: 1,
        ...here(),
        threads: await collectHandles(session, { ...request, ...this.#asking(over) }),
      }),
      PATIENCE_SNAPSHOTS,
    );
  }

  allocations(request: AllocationsRequest, closed: AbortSignal): Promise<AllocationsAnswer> {
    const collect = async (session: InspectorThread, over: Promise<void>): Promise<AllocationsAnswer> => ({
      answer: 'allocations',
      version: 1,
      ...here(),
      threads: await collectAllocations(session, { ...request, ...this.#asking(over, 'allocations') }),
    });
    return this.#inLongSession(collect, request.seconds * 1000 + PATIENCE, closed);
  }

  heap(request: HeapRequest, closed: AbortSignal): Promise<HeapAnswer> {
    const collect = async (session: InspectorThread, over: Promise<void>): Promise<HeapAnswer> => ({
      answer: 'heap',
      version: 1,
      ...here(),
      threads: await collectHeap(session, { ...request, ...this.#asking(over) }),
    });
    return this.#inLongSession(collect, request.seconds * 1000 + PATIENCE_SNAPSHOTS, closed);
  }

  /** What takes long waits for others that do, but nothing else waits for it. */
  #inLongSession<T>(
    collect: (session: InspectorThread, over: Promise<void>) => Promise<T>,
    patience: number,
    closed: AbortSignal,
  ): Promise<T> {
    const result = this.#lastLong.then(() => this.#open(collect, patience, closed));
    this.#lastLong = result.catch(() => {});
    return result;
  }

  #asking(over: Promise<void>, asker: 'answers' | 'allocations' = 'answers'): ThreadAsking {
    const gate = this.#needs.gates[asker];
    return {
      pid: process.pid,
      over,
      mayAsk: (thread) => gate.take(thread),
      done: (thread) => gate.giveBack(thread),
      hasWorkers: (thread) => thread === 0 || gate.hasWorkers(thread),
    };
  }

  /**
   * Opens a session with the main thread for `ask`, which must be done with it when `over` resolves, after `patience`
   * milliseconds. Sessions wait for each other.
   * @throws TraceError EACCES if Node permits no inspector, ESRCH while the program ends
   */
  inSession<T>(ask: (session: InspectorThread, over: Promise<void>) => Promise<T>, patience = PATIENCE): Promise<T> {
    const result = this.#last.then(() => this.#open(ask, patience));
    this.#last = result.catch(() => {});
    return result;
  }

  async #open<T>(
    ask: (session: InspectorThread, over: Promise<void>) => Promise<T>,
    patience: number,
    closed?: AbortSignal,
  ): Promise<T> {
    if (closed?.aborted) throw new TraceError('EINTR');
    const { mayInspect, main, holds } = this.#needs;
    if (!mayInspect) throw new TraceError('EACCES', 'the permission model of Node allows no inspector');
    const { Session: InspectorSession } = createRequire(import.meta.url)('node:inspector') as typeof import('node:inspector');
    if (!main.begin()) throw new TraceError('ESRCH', 'the program ends');
    const session = new InspectorSession();
    const began = performance.now();
    let look: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      look = setInterval(() => (main.mustEnd || closed?.aborted || performance.now() - began > patience) && resolve(), LOOK);
    });
    const thread = inspectorThread(session, holds);
    try {
      session.connectToMainThread();
      return await ask(thread, over);
    } finally {
      clearInterval(look);
      thread.close();
      // A worker's message that is still on its way would be answered on a closed session.
      session.removeAllListeners();
      session.disconnect();
      main.end();
    }
  }
}

/** What each answer begins with. */
const here = (): { readonly pid: number; readonly application: string } => ({
  pid: process.pid,
  application: workingFolder('self'),
});
