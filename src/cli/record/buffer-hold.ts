import { FileSession } from '../../client/file-session.js';
import type { TraceClient } from '../../client/trace-client.js';
import { resetTracing } from '../set-up.js';
import { writeFile } from '../write-file.js';

const DISABLE = 'options/disable_on_free';
const WRITE_ONLY = { read: false, write: true, truncate: false, append: false, nonblock: false, exclusive: true } as const;

/** The size in buffer_size_kb: `1408`, or before anything was traced `7 (expanded: 1408)`. */
const sizeIn = (text: string): string => /(\d+)\)?\n$/.exec(text)?.[1] ?? '';

/**
 * The buffers of a process while they are recorded. free_buffer stays open: if this command is killed, tracing stops and the
 * buffers are freed. Only one can hold them at a time.
 */
export class BufferHold {
  readonly #client: TraceClient;
  readonly #session: FileSession;
  readonly #handle: number;
  readonly #size: string;
  readonly #disables: string;

  private constructor(client: TraceClient, session: FileSession, handle: number, size: string, disables: string) {
    this.#client = client;
    this.#session = session;
    this.#handle = handle;
    this.#size = size;
    this.#disables = disables;
  }

  /** Rejects with a TraceError: EBUSY if somebody else records the process. */
  static async take(client: TraceClient): Promise<BufferHold> {
    const size = sizeIn(await client.read('buffer_size_kb'));
    const disables = (await client.read(DISABLE)).trim();
    const session = await FileSession.connect(client.socketPath);
    try {
      // Nothing is changed before it is this command's alone.
      const { handle } = await session.request('open', {
        path: 'free_buffer',
        flags: WRITE_ONLY,
        pid: process.pid,
        comm: 'fentry',
      });
      await writeFile(client, DISABLE, '1');
      return new BufferHold(client, session, handle, size, disables);
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /** Leaves the process as a fresh one, with the buffers' size that it had. */
  async release(): Promise<void> {
    try {
      // While the buffers are held: afterwards somebody else may record.
      await resetTracing(this.#client);
      await writeFile(this.#client, DISABLE, this.#disables);
      // Answered when the buffers are freed: not after they have their size again.
      await this.#session.request('release', { handle: this.#handle });
    } finally {
      this.#session.close();
    }
    await writeFile(this.#client, 'buffer_size_kb', this.#size);
  }
}
