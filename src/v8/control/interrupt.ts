import type { Session } from 'node:inspector';
import type { ThreadHolds } from '../inspect/thread-holds.js';
import type { InspectionNeeds } from './inspection-needs.js';
import type { MainSession } from './main-session.js';
import type { WorkerGate } from './worker-evaluations.js';

/** The expression that the interrupted thread evaluates; a thread without an agent (the control thread itself) does nothing. */
const EXPRESSION = 'void process[Symbol.for("fentry.agent")]?.interrupt()';
/** Milliseconds that a session stays open for the answers, and until the next one: at first and at most. */
const SESSION = { first: 30, most: 100 } as const;
const PAUSE = { first: 2, most: 500 } as const;
/** Milliseconds between checks whether an open session must end. */
const LOOK = 4;

interface WorkerMessage {
  readonly method?: string;
  readonly params?: {
    readonly sessionId: string;
    readonly message?: string;
    readonly workerInfo?: { readonly url: string; readonly title: string };
  };
  /** The number of an answer. */
  readonly id?: number;
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

/**
 * Makes the threads of the process obey their waiting commands, also in the middle of a loop.
 *
 * The inspector's session must be opened while a thread is busy: one that was opened before does not interrupt. It must also be
 * closed soon: if one is open when a process ends, Node prints that it waits for a debugger. So sessions are short, and repeated
 * for a thread that was just in fentry's own code, or is blocked outside of JavaScript; and the main thread has them closed
 * before it ends.
 */
export class Interrupter {
  readonly #workerExpression: string;
  readonly #gate: WorkerGate;
  #waiting = 0;
  #running = false;
  #wake: () => void = () => {};
  /** The callbacks that wait for workers, by threadId. */
  readonly #awaited = new Map<number, () => void>();

  readonly #mayInspect: boolean;
  readonly #main: MainSession;
  readonly #holds: ThreadHolds;

  /**
   * @param needs `mayInspect`: else threads obey at their next turn of the event loop. `main` is told of sessions
   * @param gate says which workers may be interrupted
   * @param workerExpression what interrupted workers evaluate; by default they obey if they have an agent
   */
  constructor(
    { mayInspect, main, holds }: Pick<InspectionNeeds, 'mayInspect' | 'main' | 'holds'>,
    gate: WorkerGate,
    workerExpression = EXPRESSION,
  ) {
    this.#mayInspect = mayInspect;
    this.#main = main;
    this.#holds = holds;
    this.#gate = gate;
    this.#workerExpression = workerExpression;
  }

  /** Interrupts until `obeyed` resolves, if that is permitted. */
  until(obeyed: Promise<void>): void {
    this.#waiting++;
    void obeyed.then(() => {
      this.#waiting--;
      if (this.#waiting === 0) this.#wake();
    });
    if (!this.#running && this.#mayInspect) void this.#run();
  }

  /** Resolves when this worker has answered that it need not be asked again, or has ended. */
  reached(threadId: number): Promise<void> {
    return new Promise((resolve) => this.#awaited.set(threadId, resolve));
  }

  #reach(threadId: number): void {
    this.#awaited.get(threadId)?.();
    this.#awaited.delete(threadId);
  }

  async #run(): Promise<void> {
    this.#running = true;
    // Loaded late: most processes are never interrupted.
    const { Session: InspectorSession } = await import('node:inspector');
    for (let round = 0; this.#waiting > 0 && this.#main.begin(); round++) {
      const session = new InspectorSession();
      try {
        session.connectToMainThread();
        interruptOnce(session, {
          workerExpression: this.#workerExpression,
          gate: this.#gate,
          holds: this.#holds,
          reached: (threadId) => this.#reach(threadId),
        });
        const look = setInterval(() => this.#main.mustEnd && this.#wake(), LOOK);
        await this.#pause(grown(SESSION, round));
        clearInterval(look);
      } finally {
        // A worker's message that is still on its way would be answered on a closed session.
        session.removeAllListeners();
        session.disconnect();
        this.#main.end();
      }
      if (this.#waiting > 0) await this.#pause(grown(PAUSE, round));
    }
    this.#running = false;
  }

  /** Waits so many milliseconds, or less if nothing is awaited any more. */
  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#waiting === 0) this.#wake();
    });
  }
}

const grown = ({ first, most }: { readonly first: number; readonly most: number }, round: number): number =>
  Math.min(first * 2 ** Math.min(round, 20), most);

/** Node's own worker for load hooks. */
const isNodes = (url: string): boolean => url.startsWith('node:');

/** `[worker 3] name` */
const threadIdIn = (title: string): number => Number(/\d+/.exec(title)?.[0]);

interface Interruption {
  readonly workerExpression: string;
  readonly gate: WorkerGate;
  /** A thread that another session holds is left out. */
  readonly holds: ThreadHolds;
  /** Called with workers that answered `true`, or have ended. */
  readonly reached: (threadId: number) => void;
}

function interruptOnce(session: Session, { workerExpression, gate, holds, reached }: Interruption): void {
  // Only for expressions that may need `require` before Node 20.16: V8 crashes in a worker that is just ending.
  const includeCommandLineAPI = workerExpression !== EXPRESSION && process.getBuiltinModule === undefined;
  if (!holds.isHeld(0)) session.post('Runtime.evaluate', { expression: EXPRESSION, silent: true });
  let id = 0;
  /** Which worker is asked, by the id of the question and by its session. */
  const asked = new Map<number | string, number>();
  const send = (route: readonly string[], method: string, params: object): number => {
    const first = ++id;
    let message: string = JSON.stringify({ id: first, method, params });
    for (const sessionId of route.slice(1).reverse()) {
      message = JSON.stringify({ id: ++id, method: 'NodeWorker.sendMessageToWorker', params: { sessionId, message } });
    }
    session.post('NodeWorker.sendMessageToWorker', { sessionId: route[0]!, message });
    return first;
  };
  const attached = (route: readonly string[], threadId: number): void => {
    asked.set(route.join(), threadId);
    if (!holds.isHeld(threadId) && gate.take(threadId)) {
      const expression = { expression: workerExpression, includeCommandLineAPI, silent: true };
      asked.set(send(route, 'Runtime.evaluate', expression), threadId);
    }
    if (gate.hasWorkers(threadId)) send(route, 'NodeWorker.enable', { waitForDebuggerOnStart: false });
  };
  const answered = (question: number | string, isReached: boolean): void => {
    const threadId = asked.get(question);
    if (threadId === undefined) return;
    gate.giveBack(threadId);
    if (isReached) reached(threadId);
  };
  const received = (route: readonly string[], { method, params, id: question, result }: WorkerMessage): void => {
    if (question !== undefined) answered(question, result?.result?.value === true);
    if (params === undefined) return;
    const inner = [...route, params.sessionId];
    const { url = '', title = '' } = params.workerInfo ?? {};
    if (method === 'NodeWorker.attachedToWorker' && !isNodes(url)) attached(inner, threadIdIn(title));
    if (method === 'NodeWorker.detachedFromWorker') answered(inner.join(), true);
    if (method === 'NodeWorker.receivedMessageFromWorker') received(inner, JSON.parse(params.message ?? '{}') as WorkerMessage);
  };
  session.on('inspectorNotification', (message) => received([], message as WorkerMessage));
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
}
