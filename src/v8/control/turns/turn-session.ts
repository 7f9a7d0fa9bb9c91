import { createRequire } from 'node:module';
import type { FoundWorker, InspectorThread } from '../../inspect/inspector-thread.js';
import { type PausedStack, pausedStack } from '../../inspect/paused-calls.js';
import type { TurnLook, TurnSample } from '../../shared/turn-sample.js';
import type { InspectionNeeds } from '../inspection-needs.js';
import { inspectorThread } from '../inspector-session.js';

/** What is read of a thread that is held: a long text would have to be sent by it. */
const PAUSE = { withLocals: false, areInstrumented: true, mostCalls: 12, longestText: 500_000 } as const;

const sampleExpression = (look: TurnLook): string => `process[Symbol.for("fentry.agent")]?.sampleTurn(${JSON.stringify(look)})`;

/**
 * A session of the inspector with the threads that are in a long turn. It must be opened while they are: what was opened before
 * would not be heard in the middle of a turn. It stays open until the turns are over.
 */
export class TurnSession {
  readonly #needs: InspectionNeeds;
  readonly #main: InspectorThread;
  readonly #workers = new Map<number, FoundWorker>();
  /** What each thread was asked last. */
  readonly #asked = new Map<number, Promise<unknown>>();
  readonly #over: Promise<void>;
  #closed: () => void = () => {};
  readonly #end: () => void;
  #looksForWorkers = false;

  private constructor(needs: InspectionNeeds, main: InspectorThread, end: () => void) {
    this.#needs = needs;
    this.#main = main;
    this.#end = end;
    this.#over = new Promise((resolve) => {
      this.#closed = resolve;
    });
  }

  /** Opens one; undefined if that is not permitted, or while the program ends. */
  static open(needs: InspectionNeeds): TurnSession | undefined {
    const { mayInspect, main, holds } = needs;
    if (!mayInspect) return undefined;
    const { Session } = createRequire(import.meta.url)('node:inspector') as typeof import('node:inspector');
    if (!main.begin()) return undefined;
    const session = new Session();
    const thread = inspectorThread(session, holds);
    const close = (): void => {
      thread.close();
      session.removeAllListeners();
      session.disconnect();
      main.end();
    };
    try {
      session.connectToMainThread();
    } catch {
      close();
      return undefined;
    }
    return new TurnSession(needs, thread, close);
  }

  /** Whether it must be closed, because the program ends. */
  get mustEnd(): boolean {
    return this.#needs.main.mustEnd;
  }

  /**
   * What a thread runs, as soon as it answers; one that was asked already answers that first. Undefined: it cannot be asked now,
   * or the session is closed before it answers.
   * @param worker Node's number of the thread; 0 is the main thread
   */
  sample(worker: number, look: TurnLook): Promise<TurnSample | undefined> {
    return this.#inTurn(worker, (thread) => thread.value(sampleExpression(look)) as Promise<TurnSample | undefined>);
  }

  /** The stack of a thread, with arguments of its innermost calls: it stands still for some milliseconds. Undefined as above. */
  paused(worker: number): Promise<PausedStack | undefined> {
    return this.#inTurn(worker, (thread) => pausedStack(thread, { ...PAUSE, over: this.#over }));
  }

  #inTurn<T>(worker: number, ask: (thread: InspectorThread) => Promise<T | undefined>): Promise<T | undefined> {
    const before = this.#asked.get(worker);
    const asked = (async () => {
      await before;
      const thread = worker === 0 ? this.#main : await this.#worker(worker);
      return thread && this.#ask(worker, () => ask(thread));
    })();
    this.#asked.set(worker, asked);
    return asked;
  }

  async #ask<T>(worker: number, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    const { holds } = this.#needs;
    const gate = this.#needs.gates.turns;
    // Another session has the thread stand still: there is nothing to see, and a worker must not be kept from its end meanwhile.
    if (holds.isHeld(worker)) await Promise.race([holds.free(worker), this.#over]);
    if (worker !== 0 && !gate.take(worker)) return undefined;
    try {
      return await ask();
    } catch {
      return undefined;
    } finally {
      if (worker !== 0) gate.giveBack(worker);
    }
  }

  /** The name that the program has given a worker, if it was found. */
  nameOf(worker: number): string | undefined {
    return this.#workers.get(worker)?.name;
  }

  close(): void {
    this.#closed();
    this.#end();
  }

  async #worker(worker: number): Promise<InspectorThread | undefined> {
    if (!this.#looksForWorkers) {
      this.#looksForWorkers = true;
      await this.#findIn(this.#main);
    }
    return this.#workers.get(worker)?.session;
  }

  /** Finds the workers that a thread has started, and those that they have. */
  async #findIn(thread: InspectorThread): Promise<void> {
    const gate = this.#needs.gates.turns;
    const found = (one: FoundWorker): void => {
      if (one.url.startsWith('node:')) return;
      this.#workers.set(one.thread, one);
      if (gate.hasWorkers(one.thread)) void this.#findIn(one.session);
    };
    await thread.findWorkers(found).catch(() => {});
  }
}
