import { TraceError } from '../../../base/errno.js';
import { MOST_UNDO_STEPS, type UndoStep } from '../../../base/session-protocol.js';
import { type Caller, O_WRONLY_TRUNC, type TraceDirectory } from '../../../tracefs/node.js';
import { lookup, rmdir } from '../../../tracefs/path.js';

const NOBODY: Caller = { pid: 0, comm: '<...>' };

/** What a client wants undone when its session ends, also when it is killed: writes into files, and directories to remove. */
export class UndoSteps {
  readonly #root: TraceDirectory;
  #steps: readonly UndoStep[] = [];

  constructor(root: TraceDirectory) {
    this.#root = root;
  }

  /** Replaces the steps. EINVAL for what is none. */
  set(steps: unknown): void {
    if (!Array.isArray(steps) || steps.length > MOST_UNDO_STEPS || !steps.every(isStep))
      throw new TraceError(
        'EINVAL',
        `steps must be at most ${MOST_UNDO_STEPS} objects with a path, and the text to write or none to remove`,
      );
    this.#steps = steps;
  }

  /** Takes all steps, in their order; one that is refused leaves the others. */
  async run(): Promise<void> {
    const steps = this.#steps;
    this.#steps = [];
    for (const step of steps) await this.#take(step).catch(() => {});
  }

  async #take({ path, text }: UndoStep): Promise<void> {
    if (text === undefined) return rmdir(this.#root, path);
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
  return typeof path === 'string' && (text === undefined || typeof text === 'string');
}
