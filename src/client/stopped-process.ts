import { describeWait, threadState } from '../base/thread-state.js';

/** Milliseconds between checks of a process that does not answer. */
const LOOK = 500;
/** At how many checks in a row a process is found stopped before that is told: fentry stops native programs itself, for milliseconds. */
const LOOKS = 2;

/** States of a process that does not answer until it is resumed: stopped by a signal, held by a debugger. */
const STOPPED: ReadonlySet<string> = new Set(['T', 't']);

/** At how many checks in a row each process was found stopped. */
const found = new Map<number, number>();
let tell: ((message: string) => void) | undefined;

/** Calls `told` for each process that is stopped while its answer is awaited, once until it runs again. */
export function tellOfStoppedProcesses(told: (message: string) => void): void {
  tell = told;
}

function look(pid: number): void {
  const thread = threadState(pid, pid);
  if (thread === undefined || !STOPPED.has(thread.state)) {
    found.delete(pid);
    return;
  }
  const looks = (found.get(pid) ?? 0) + 1;
  found.set(pid, looks);
  if (looks === LOOKS) tell?.(`process ${pid} ${describeWait(thread)}; waiting for it, until Ctrl-C`);
}

/** Checks a process twice a second while an answer of it is awaited. Returns a function that ends this. */
export function whileAwaiting(pid: number): () => void {
  if (tell === undefined) return () => {};
  const timer = setInterval(look, LOOK, pid);
  timer.unref();
  return () => clearInterval(timer);
}
