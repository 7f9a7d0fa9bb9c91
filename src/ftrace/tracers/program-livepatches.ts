import { basename, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TraceError } from '../../base/errno.js';
import type { LivepatchRequest, LivepatchState } from './diversions.js';

export interface LivepatchOptions {
  /** The module with the new functions (docs/livepatch.md): an absolute path, or a file: URL. */
  readonly file: string | URL;
  /**
   * What it is called in `livepatch/`: letters, digits, `_`, `-`, `.` and `@`. By default the file's name without its extension.
   */
  readonly name?: string;
  /** Only begin to follow calls of the functions: `enable()` goes on. */
  readonly prepare?: boolean;
}

/** A live patch that the program has loaded (struct klp_patch of include/linux/livepatch.h). */
export interface ProgramLivepatch extends LivepatchState {
  readonly name: string;
  /** Goes over to the new functions. Rejects with EINVAL if it is enabled or gone. */
  enable(): Promise<void>;
  /** Goes back; when the transition is over, the patch is gone. Rejects with EINVAL if it is disabled or gone. */
  disable(): Promise<void>;
  /** Ends the transition at once, whatever still runs. Rejects with EINVAL if there is none. */
  force(): Promise<void>;
  /**
   * Resolves when no transition is under way: at once, or when all threads have gone over. Keeps the program from ending until
   * then.
   */
  settled(): Promise<void>;
}

/** What is needed of the thread. Resolves when it is done, rejects with a TraceError. */
export type AskForLivepatch = (request: LivepatchRequest) => Promise<void>;

const NOTHING: LivepatchState = { enabled: false, transition: false, isGone: false, functions: [] };
/** Milliseconds: so long a timer keeps the program alive that waits for a transition. */
const LONG = 2 ** 30;

class LoadedLivepatch implements ProgramLivepatch {
  readonly name: string;
  readonly #id: number;
  readonly #ask: AskForLivepatch;
  #state = NOTHING;
  #waiting: (() => void)[] = [];

  constructor(name: string, id: number, ask: AskForLivepatch) {
    this.name = name;
    this.#id = id;
    this.#ask = ask;
  }

  get enabled(): boolean {
    return this.#state.enabled;
  }

  get transition(): boolean {
    return this.#state.transition;
  }

  get isGone(): boolean {
    return this.#state.isGone;
  }

  get functions(): readonly string[] {
    return this.#state.functions;
  }

  enable(): Promise<void> {
    return this.#ask({ id: this.#id, action: 'enable' });
  }

  disable(): Promise<void> {
    return this.#ask({ id: this.#id, action: 'disable' });
  }

  force(): Promise<void> {
    return this.#ask({ id: this.#id, action: 'force' });
  }

  async settled(): Promise<void> {
    if (!this.transition) return;
    const alive = setTimeout(() => {}, LONG);
    await new Promise<void>((settled) => this.#waiting.push(settled));
    clearTimeout(alive);
  }

  changed(state: LivepatchState): void {
    this.#state = state;
    if (!state.transition) for (const settled of this.#waiting.splice(0)) settled();
  }
}

/** The live patches that the program of one thread has loaded. */
export class ProgramLivepatches {
  readonly #ask: AskForLivepatch;
  readonly #loaded = new Map<number, LoadedLivepatch>();
  #last = 0;

  constructor(ask: AskForLivepatch) {
    this.#ask = ask;
  }

  /**
   * Loads a patch, and enables it.
   * @throws TraceError as a write to livepatch/load
   */
  async load({ file, name, prepare = false }: LivepatchOptions): Promise<ProgramLivepatch> {
    const path = pathOf(file);
    const patch = new LoadedLivepatch(name ?? basename(path).replace(/\.[^.]+$/, ''), ++this.#last, this.#ask);
    const id = this.#last;
    this.#loaded.set(id, patch);
    try {
      await this.#ask({ id, action: prepare ? 'prepare' : 'load', name: patch.name, path });
    } catch (error) {
      this.#loaded.delete(id);
      throw error;
    }
    return patch;
  }

  /** The agent is detached, which undoes all patches. */
  end(): void {
    for (const [id, { functions }] of this.#loaded) {
      this.changed(id, { enabled: false, transition: false, isGone: true, functions });
    }
  }

  /** The state of a patch has changed. */
  changed(id: number, state: LivepatchState): void {
    this.#loaded.get(id)?.changed(state);
    if (state.isGone) this.#loaded.delete(id);
  }
}

function pathOf(file: string | URL): string {
  try {
    const path = String(file).startsWith('file:') ? fileURLToPath(file) : String(file);
    if (isAbsolute(path)) return resolve(path);
  } catch {
    // It is no file's URL.
  }
  throw new TraceError('EINVAL', `${file} is neither an absolute path nor a file: URL`);
}
