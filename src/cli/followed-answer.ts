import { MAX_READ_BYTES, type SessionOpenFlags } from '../base/session-protocol.js';
import { FileSession } from '../client/file-session.js';
import type { TraceClient } from '../client/trace-client.js';

const FLAGS: SessionOpenFlags = { read: true, write: true, truncate: false, append: false, nonblock: false };

/**
 * The content of a file of answers/ that follows the program while it is open, when that is over by itself; or what there is so
 * far, once `stop` aborts.
 * @param begun called when the file is open
 * @throws TraceError as the file is refused; ENODEV if the process ends before
 */
export async function followedAnswer(client: TraceClient, path: string, stop: AbortSignal, begun: () => void): Promise<string> {
  const session = await FileSession.connect(client.socketPath);
  try {
    const { handle } = await session.request('open', { path, flags: FLAGS, pid: process.pid, comm: 'fentry' });
    begun();
    // A write ends it; what is open may be written to while somebody waits for it.
    const end = (): void => void session.request('write', { handle }, { body: Buffer.from('1') }).catch(() => {});
    stop.addEventListener('abort', end, { once: true });
    if (stop.aborted) end();
    await session.request('wait', { handle });
    const parts: Uint8Array[] = [];
    for (;;) {
      const { body } = await session.request('read', { handle, size: MAX_READ_BYTES });
      if (body.length === 0) return Buffer.concat(parts).toString('utf8');
      parts.push(body);
    }
  } finally {
    session.close();
  }
}
