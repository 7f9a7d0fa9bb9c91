import type { LivepatchChange, LivepatchNews, Replacement } from '../../../tracers/diversions.js';
import type { Diversions } from './diversion.js';
import type { FaultNeeds } from './fault-injection.js';
import { ThreadLivepatch } from './livepatch.js';
import type { ThreadTrace } from './thread-trace.js';

/** The functions of a loaded file. */
export interface LoadedReplacements {
  readonly functions: ReadonlyMap<string, (...args: never[]) => unknown>;
  readonly replacements: readonly Replacement[];
}

/** What live patches need from their thread. */
export interface LivepatchNeeds extends FaultNeeds {
  /** Loads the file of a patch; rejects with what the file throws, or with an Error that says why it cannot be used. */
  load(url: string): Promise<LoadedReplacements>;
  tell(patch: number, news: LivepatchNews): void;
  /** Calls `run` when nothing of the program is on the stack. */
  afterTurn(run: () => void): void;
}

/** The live patches of one thread, by number. */
export class Livepatches {
  readonly #ctx: ThreadTrace;
  readonly #diversions: Diversions;
  readonly #needs: LivepatchNeeds;
  readonly #all = new Map<number, ThreadLivepatch>();

  constructor(ctx: ThreadTrace, diversions: Diversions, needs: LivepatchNeeds) {
    this.#ctx = ctx;
    this.#diversions = diversions;
    this.#needs = needs;
  }

  obey(change: LivepatchChange): void {
    const patch = this.#all.get(change.patch);
    if (change.change === 'load') this.#load(change.patch, change.url);
    else if (patch === undefined) return;
    else if (change.change === 'patch') for (const one of change.functions) this.#diversions.set(one.n, patch.add(one));
    else if (change.change === 'remove') this.#remove(change.patch, patch);
    else if (change.change === 'force') patch.force();
    else patch.goTo(change.change === 'enable', change.seq);
  }

  clear(): void {
    this.#all.clear();
  }

  #load(number: number, url: string): void {
    const patch = new ThreadLivepatch(this.#ctx, this.#needs.afterTurn, (seq) => this.#needs.tell(number, { news: 'over', seq }));
    this.#all.set(number, patch);
    this.#needs.load(url).then(
      ({ functions, replacements }) => {
        patch.loaded(functions);
        this.#needs.tell(number, { news: 'loaded', replacements });
      },
      (error: unknown) => this.#needs.tell(number, { news: 'failed', message: messageOf(error) }),
    );
  }

  #remove(number: number, patch: ThreadLivepatch): void {
    this.#all.delete(number);
    for (const n of patch.numbers) this.#diversions.delete(n);
  }
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return 'the file threw a value that has no text';
  }
}
