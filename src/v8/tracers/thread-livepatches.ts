import { SafeMap } from '../../base/safe-map.js';
import type { LivepatchChange } from '../../ftrace/tracers/diversions.js';
import type { Diversions } from './diversion.js';
import type { FollowedCalls } from './followed-calls.js';
import { ThreadLivepatch } from './livepatch.js';
import type { LivepatchNeeds } from './livepatch-needs.js';
import type { ThreadTrace } from './thread-trace.js';

/** The live patches of one thread, by number. */
export class ThreadLivepatches {
  readonly #ctx: ThreadTrace;
  readonly #diversions: Diversions;
  readonly #followed: FollowedCalls;
  readonly #needs: LivepatchNeeds;
  readonly #all = new SafeMap<number, ThreadLivepatch>();

  constructor(ctx: ThreadTrace, diversions: Diversions, followed: FollowedCalls, needs: LivepatchNeeds) {
    this.#ctx = ctx;
    this.#diversions = diversions;
    this.#followed = followed;
    this.#needs = needs;
  }

  obey(change: LivepatchChange): void {
    const patch = this.#all.get(change.patch);
    if (change.change === 'load') this.#load(change.patch, change.url);
    else if (patch === undefined) return;
    else if (change.change === 'patch') {
      for (const one of change.functions) this.#diversions.set(one.n, patch.add(one, this.#followed.get(one.n)));
      patch.reach(change.modules);
    } else if (change.change === 'remove') this.#remove(change.patch, patch);
    else if (change.change === 'force') patch.force();
    else patch.goTo(change.change === 'enable', change.seq);
  }

  clear(): void {
    for (const patch of this.#all.values()) patch.end();
    this.#all.clear();
  }

  #load(number: number, url: string): void {
    const patch = new ThreadLivepatch(this.#ctx, this.#needs, (news) => this.#needs.tell(number, news));
    this.#all.set(number, patch);
    this.#needs.load(url).then(
      (loaded) => {
        const { replacements, variables } = loaded;
        patch.loaded(loaded);
        this.#needs.tell(number, { news: 'loaded', replacements, variables });
      },
      (error: unknown) => this.#needs.tell(number, { news: 'failed', message: messageOf(error) }),
    );
  }

  #remove(number: number, patch: ThreadLivepatch): void {
    this.#all.delete(number);
    patch.end();
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
