import { setTimeout as sleep } from 'node:timers/promises';
import { TraceError } from '../../base/errno.js';
import { MOST_UNDO_STEPS, type UndoStep } from '../../base/session-protocol.js';
import { type FileOpener, O_WRONLY_TRUNC, type TraceDirectory } from '../tracefs/node.js';
import { lookup, mkdir, rmdir } from '../tracefs/path.js';

/** While a file of a directory is open, its removal is tried again: after so many milliseconds at first, and at most so long. */
const RETRY = { first: 20, longest: 60_000 } as const;

const NOBODY: FileOpener = { pid: 0, comm: '<...>' };

/** What is undone when a client's session ends, also when the client is killed: its directories, and writes that it wants. */
export class UndoSteps {
  readonly #root: TraceDirectory;
  readonly #directories: string[] = [];
  #steps: UndoStep[] = [];
  #isOver = false;

  constructor(root: TraceDirectory) {
    this.#root = root;
  }

  /** Makes a directory that is there as long as the session. */
  async mkdir(path: string): Promise<void> {
    await mkdir(this.#root, path);
    this.#directories.unshift(path);
    if (this.#isOver) await this.#run();
  }

  /** Replaces the writes. EINVAL for what is none. */
  set(steps: unknown): void {
    if (!Array.isArray(steps) || steps.length > MOST_UNDO_STEPS || !steps.every(isStep))
      throw new TraceError('EINVAL', `steps must be at most ${MOST_UNDO_STEPS} objects with a path and a text`);
    this.#steps = [...steps];
  }

  /** The session has ended. */
  end(): Promise<void> {
    this.#isOver = true;
    return this.#run();
  }

  /** What is refused, such as the removal of a directory that the client has removed itself, leaves the rest. */
  async #run(): Promise<void> {
    for (const step of this.#steps.splice(0)) await this.#write(step).catch(() => {});
    for (const path of this.#directories.splice(0)) void this.#remove(path);
  }

  /** The last requests of a client that was killed may still have a file open. */
  async #remove(path: string): Promise<void> {
    for (let wait: number = RETRY.first; wait < RETRY.longest; wait *= 2) {
      try {
        return await rmdir(this.#root, path);
      } catch (error) {
        if (!(error instanceof TraceError) || error.errno !== 'EBUSY') return;
      }
      await sleep(wait, undefined, { ref: false });
    }
  }

  async #write({ path, text }: UndoStep): Promise<void> {
    const file = lookup(this.#root, path);
    if (file.kind !== 'file') return;
    const handle = await file.open(O_WRONLY_TRUNC, NOBODY);
    try {
      await handle.write(Buffer.from(`${text}\n`));
    } finally {
      await handle.release();
    }
  }
}

function isStep(value: unknown): value is UndoStep {
  const { path, text } = (value ?? {}) as Partial<Record<keyof UndoStep, unknown>>;
  return typeof path === 'string' && typeof text === 'string';
}
