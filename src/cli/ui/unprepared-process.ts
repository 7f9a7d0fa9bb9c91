import { TraceError } from '../../base/errno.js';
import type { LiveProcesses } from './live-processes.js';

/** Milliseconds that a process without fentry has to answer. */
const SOON = 10_000;
const LATER = 60_000;

/** What a process can be asked that runs without fentry. The inspector's client is large, and loaded then. */
const ANSWERS = {
  bt: async (pid: number) => (await import('../unprepared/bt-unprepared.js')).btUnprepared(pid, { locals: false }, SOON),
  handles: async (pid: number) =>
    (await import('../unprepared/handles-unprepared.js')).handlesUnprepared(pid, { force: false }, LATER),
  waiting: async (pid: number) =>
    (await import('../unprepared/waiting-unprepared.js')).waitingUnprepared(pid, { locals: false, force: false }, LATER),
} as const;

/** An answer of a process without fentry: its inspector is open for that. TraceError EINVAL if it has no such answer. */
export async function askUnpreparedProcess(pid: number, name: string): Promise<unknown> {
  if (!Object.hasOwn(ANSWERS, name)) throw new TraceError('EINVAL', `'${name}' is no answer: ${Object.keys(ANSWERS).join(', ')}`);
  return ANSWERS[name as keyof typeof ANSWERS](pid);
}

/** Loads fentry into a process; it stays, until what the page has changed is put back. Throws TraceError as `fentry attach`. */
export async function attachTo(processes: LiveProcesses, pid: number): Promise<{ readonly warning: string | undefined }> {
  const [{ attachProcess }, { Deadline }] = await Promise.all([
    import('../attach/attach-process.js'),
    import('../attach/deadline.js'),
  ]);
  const { warning } = await attachProcess(pid, new Deadline(SOON));
  const { changes } = await processes.of(pid);
  changes.note({ what: 'attached', before: '0', now: '1', undo: [{ path: 'attached', text: '0', append: false }] });
  return { warning };
}
