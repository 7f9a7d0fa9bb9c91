import { describeWait, threadState } from '../base/thread-state.js';

/** How often a process that does not answer is looked at, in milliseconds. */
const LOOK = 1000;

/** States of a process that will not answer before somebody lets it go on: stopped by a signal, held by a debugger. */
const STOPPED: ReadonlySet<string> = new Set(['T', 't']);

const known = new Set<number>();
let tell: ((message: string) => void) | undefined;

/** Has `told` hear of each process that is stopped while an answer of it is awaited, once until it runs again. */
export function tellOfStoppedProcesses(told: (message: string) => void): void {
  tell = told;
}

function look(pid: number): void {
  const thread = threadState(pid, pid);
  if (thread === undefined || !STOPPED.has(thread.state)) {
    known.delete(pid);
    return;
  }
  if (known.has(pid)) return;
  known.add(pid);
  tell?.(`process ${pid} ${describeWait(thread)}; waiting for it, until Ctrl-C`);
}

/** Looks at a process, about once a second, as long as something is awaited from it. Returns what ends that. */
export function whileAwaiting(pid: number): () => void {
  if (tell === undefined) return () => {};
  const timer = setInterval(look, LOOK, pid);
  timer.unref();
  return () => clearInterval(timer);
}
