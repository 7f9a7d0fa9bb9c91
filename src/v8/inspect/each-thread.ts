import { describeWait, threadState } from '../../base/thread-state.js';
import type { FoundWorker, InspectorThread } from './inspector-thread.js';

/** Which threads may be asked, and for how long. */
export interface ThreadAsking {
  readonly pid: number;
  /** Resolves when no thread is to be asked any more: what has not answered then does not answer. */
  readonly over: Promise<void>;
  /** Whether a worker may be asked now. When it has answered, `done` is called, once. Absent: each may. */
  mayAsk?(thread: number): boolean;
  done?(thread: number): void;
  /** Whether to look for workers that this one has started. Absent: always. */
  hasWorkers?(thread: number): boolean;
}

/** A thread that is asked. */
export interface AskedThread {
  /** Node's number; 0 is the main thread. */
  readonly thread: number;
  /** The name that the program has given it; '' for none. */
  readonly name: string;
  readonly session: InspectorThread;
}

/**
 * Asks the main thread, then each worker that it and its workers have started, one after the other. `ask` resolves to undefined
 * for a thread that does not answer: its workers are not looked for.
 */
export async function eachThread<T>(
  main: InspectorThread,
  asking: ThreadAsking,
  ask: (thread: AskedThread) => Promise<T | undefined>,
): Promise<ReadonlyMap<AskedThread, T | undefined>> {
  const answers = new Map<AskedThread, T | undefined>();
  const open: AskedThread[] = [{ thread: 0, name: '', session: main }];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const answer = await ask(next);
    asking.done?.(next.thread);
    answers.set(next, answer);
    if (answer === undefined || asking.hasWorkers?.(next.thread) === false) continue;
    open.push(...(await workersOf(next.session, asking)));
  }
  return answers;
}

async function workersOf(session: InspectorThread, asking: ThreadAsking): Promise<readonly AskedThread[]> {
  const workers: AskedThread[] = [];
  await findWorkers(session, asking, (worker) => workers.push(worker));
  return workers.sort((a, b) => a.thread - b.thread);
}

/**
 * Calls `found` for each worker that a thread has started and that may be asked. Resolves when each that runs has been found:
 * Node tells of them before it answers.
 */
export async function findWorkers(
  session: InspectorThread,
  { mayAsk, over }: ThreadAsking,
  found: (worker: AskedThread) => void,
): Promise<void> {
  const take = (worker: FoundWorker): void => {
    if (!worker.url.startsWith('node:') && mayAsk?.(worker.thread) !== false) found(worker);
  };
  await Promise.race([session.findWorkers(take).catch(() => {}), over]);
}

/** What a thread that does not answer does, in words that follow "it". */
export function silenceOf({ thread }: AskedThread, pid: number): string {
  const state = thread === 0 ? threadState(pid, pid) : undefined;
  return thread === 0 ? `does not answer: it ${describeWait(state)}` : 'does not answer';
}
