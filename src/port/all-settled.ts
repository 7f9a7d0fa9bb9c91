import { TraceError } from '../base/errno.js';
import type { TracedThread } from './port.js';

type Settling = Pick<TracedThread, 'settled' | 'isBehind' | 'cpu' | 'tid'>;

/** What keeps the thread from obeying; undefined if it has obeyed. */
async function catchUp(thread: Settling): Promise<string | undefined> {
  // When it obeys, a busy thread also announces texts that it has loaded in the meantime, and gets patches for them.
  for (;;) {
    const blocked = await thread.settled();
    if (blocked !== undefined || !thread.isBehind) return blocked;
  }
}

/**
 * Resolves when every thread has obeyed all that was sent to it.
 * @throws TraceError ETIMEDOUT when one does not: which, and what it is doing; the error of one that could not
 */
export async function allSettled(threads: readonly Settling[]): Promise<void> {
  const told = await Promise.allSettled(
    threads.map(async (thread) => {
      const blocked = await catchUp(thread);
      return blocked === undefined ? undefined : `cpu ${thread.cpu} (thread ${thread.tid}) ${blocked}`;
    }),
  );
  const blocked: string[] = [];
  for (const one of told) {
    if (one.status === 'rejected') throw one.reason;
    if (one.value !== undefined) blocked.push(one.value);
  }
  if (blocked.length === 0) return;
  throw new TraceError('ETIMEDOUT', `${blocked.join('; ')}: the change takes effect there as soon as it runs again`);
}
