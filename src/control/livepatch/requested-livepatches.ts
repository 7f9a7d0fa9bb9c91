import { TraceError } from '../../base/errno.js';
import type { LivepatchRequest } from '../../ftrace/tracers/livepatch-request.js';
import type { TracedThread } from '../../port/port.js';
import type { Livepatch } from './livepatch.js';
import type { Livepatches } from './livepatches.js';

/** The live patches that threads of the program have asked for: each thread hears of the state of its own. */
export class RequestedLivepatches {
  readonly #livepatches: Pick<Livepatches, 'load' | 'prepare'>;
  readonly #requested = new Map<TracedThread, Map<number, Livepatch>>();

  constructor(livepatches: Pick<Livepatches, 'load' | 'prepare'>) {
    this.#livepatches = livepatches;
  }

  /** @throws TraceError as the patch's files would refuse it; EINVAL if it is gone */
  async obey(thread: TracedThread, request: LivepatchRequest): Promise<void> {
    if (request.action === 'load' || request.action === 'prepare') await this.#load(thread, request);
    else {
      const patch = this.#requested.get(thread)?.get(request.id);
      if (patch === undefined) throw new TraceError('EINVAL', 'this live patch is gone');
      await (request.action === 'force' ? patch.force() : patch.setEnabled(request.action === 'enable'));
    }
  }

  /** The thread has ended; its patches stay. */
  removeThread(thread: TracedThread): void {
    for (const patch of this.#requested.get(thread)?.values() ?? []) patch.onChanged = () => {};
    this.#requested.delete(thread);
  }

  async #load(thread: TracedThread, { id, action, name, path }: Extract<LivepatchRequest, { path: string }>): Promise<void> {
    const patch = await (action === 'load' ? this.#livepatches.load(name, path) : this.#livepatches.prepare(name, path));
    const own = this.#requested.get(thread) ?? new Map<number, Livepatch>();
    this.#requested.set(thread, own.set(id, patch));
    patch.onChanged = () => {
      const { state } = patch;
      if (state.isGone) own.delete(id);
      thread.post({ type: 'livepatch state', id, state });
    };
    patch.onChanged();
  }
}
