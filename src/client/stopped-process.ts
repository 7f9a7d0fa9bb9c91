import { readFileSync } from 'node:fs';
import { attempt } from '../base/attempt.js';
import { describeWait, threadState } from '../base/thread-state.js';

/** Milliseconds between checks of a process that does not answer. */
const LOOK = 500;
/**
 * At how many checks in a row a process is found stopped before that is told. fentry stops native programs itself, again and
 * again, and on a machine that is busy for longer than it wants to: a process that has run since the last check does not count as
 * stopped.
 */
const LOOKS = { USUAL: 2, NATIVE: 20 } as const;
/** What the maps of a native process have that fentry traces. */
const NATIVE_MEMORY = '/memfd:fentry';

/** States of a process that does not answer until it is resumed: stopped by a signal, held by a debugger. */
const STOPPED: ReadonlySet<string> = new Set(['T', 't']);

/** What was found of each stopped process: at how many checks in a row, and how often it had run until then. */
const found = new Map<number, { readonly looks: number; readonly runs: string }>();
let tell: ((message: string) => void) | undefined;

/** Why a process cannot answer now, as in "is stopped (SIGSTOP)"; undefined if nothing has stopped it. */
export function whyStopped(pid: number): string | undefined {
  const thread = threadState(pid, pid);
  return thread !== undefined && STOPPED.has(thread.state) ? describeWait(thread) : undefined;
}

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
  const runs = runsOf(pid);
  const known = found.get(pid);
  const looks = known?.runs === runs ? known.looks + 1 : 1;
  found.set(pid, { looks, runs });
  if (looks === (isNative(pid) ? LOOKS.NATIVE : LOOKS.USUAL))
    tell?.(`process ${pid} ${describeWait(thread)}; waiting for it, until Ctrl-C`);
}

const isNative = (pid: number): boolean =>
  attempt(() => readFileSync(`/proc/${pid}/maps`, 'latin1'))?.includes(NATIVE_MEMORY) === true;

/** How often the system has let a process's main thread run: it does so between two stops. */
const runsOf = (pid: number): string =>
  attempt(() => readFileSync(`/proc/${pid}/task/${pid}/status`, 'latin1'))
    ?.match(/ctxt_switches:\s*\d+/g)
    ?.join(' ') ?? '';

/** Checks a process twice a second while an answer of it is awaited. Returns a function that ends this. */
export function whileAwaiting(pid: number): () => void {
  if (tell === undefined) return () => {};
  const timer = setInterval(look, LOOK, pid);
  timer.unref();
  return () => clearInterval(timer);
}
