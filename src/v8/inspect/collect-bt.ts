import type { BtFrame, BtRequest, BtThread } from '../../answers/bt/bt-answer.js';
import { RUNS_PROGRAM } from '../../base/runs-program.js';
import { describeWait, threadState } from '../../base/thread-state.js';
import { AuthorFrames } from './author-frames.js';
import type { FoundWorker, InspectorThread } from './inspector-thread.js';
import { CUT_AFTER, type RawStack, STACK_EXPRESSION } from './stack-expression.js';

/** Which threads may be asked, and for how long. */
export interface BtAsking extends BtRequest {
  readonly pid: number;
  /** Resolves when no thread is to be asked any more: what has not answered then does not answer. */
  readonly over: Promise<void>;
  /** Whether a worker may be asked now. When it has answered, `done` is called, once. Absent: each may. */
  mayAsk?(thread: number): boolean;
  done?(thread: number): void;
  /** Whether to look for workers that this one has started. Absent: always. */
  hasWorkers?(thread: number): boolean;
}

/** Milliseconds after which a session that has found no further worker is done. */
const QUIET = 30;

/** What each thread does, as its inspector tells: the main thread, and the workers that it and its workers have started. */
export async function collectBt(main: InspectorThread, asking: BtAsking): Promise<readonly BtThread[]> {
  const places = new AuthorFrames();
  const threads: BtThread[] = [];
  const stackOf = async (session: InspectorThread): Promise<RawStack | undefined> => {
    const asked = session.ask('Runtime.evaluate', {
      expression: `${RUNS_PROGRAM} ? ${STACK_EXPRESSION} : undefined`,
      includeCommandLineAPI: true,
      returnByValue: true,
      silent: true,
    });
    const answer = await Promise.race([asked.catch(() => undefined), asking.over]);
    const value = (answer?.['result'] as { readonly value?: unknown } | undefined)?.value;
    return typeof value === 'string' ? (JSON.parse(value) as RawStack) : undefined;
  };
  const add = async (session: InspectorThread, thread: number, name: string): Promise<void> => {
    const stack = await stackOf(session);
    asking.done?.(thread);
    threads.push(threadOf({ thread, name, pid: asking.pid, stack }, places));
    if (stack !== undefined && asking.hasWorkers?.(thread) !== false) await workersOf(session);
  };
  const workersOf = async (session: InspectorThread): Promise<void> => {
    const work: Promise<void>[] = [];
    let last = performance.now();
    const found = ({ thread, name, url, session: worker }: FoundWorker): void => {
      last = performance.now();
      if (url.startsWith('node:') || asking.mayAsk?.(thread) === false) return;
      work.push(add(worker, thread, name));
    };
    await Promise.race([session.findWorkers(found).catch(() => {}), asking.over]);
    while (performance.now() - last < QUIET && !(await isOver(asking.over, QUIET)));
    for (let i = 0; i < work.length; i++) await work[i];
  };
  await add(main, 0, '');
  return threads.sort((a, b) => a.thread - b.thread);
}

const isOver = (over: Promise<void>, milliseconds: number): Promise<boolean> =>
  Promise.race([over.then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, milliseconds, false))]);

interface FoundThread {
  readonly thread: number;
  readonly name: string;
  readonly pid: number;
  readonly stack: RawStack | undefined;
}

/** What is said of a thread. Without a stack: what the system says of it. */
function threadOf({ thread, name, pid, stack }: FoundThread, places: AuthorFrames): BtThread {
  const tid = thread === 0 ? pid : stack?.tid || undefined;
  const known = { thread, name, ...(tid !== undefined && { tid }) };
  if (stack === undefined) {
    const doing = tid === undefined ? undefined : describeWait(threadState(pid, tid));
    return { ...known, state: 'blocked', ...(doing !== undefined && { doing }), frames: [] };
  }
  const frames = stack.frames.map(
    ({ isAsync, ...raw }): BtFrame => ({ ...places.frame({ ...raw, isAsync }), ...(isAsync && { isAsync }) }),
  );
  return {
    ...known,
    state: frames.length === 0 ? 'idle' : 'running',
    frames,
    ...(stack.omitted > 0 && { cut: { count: stack.omitted, after: CUT_AFTER } }),
  };
}
