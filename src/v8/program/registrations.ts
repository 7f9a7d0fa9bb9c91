import { TraceError } from '../../base/errno.js';
import { say } from '../../base/say.js';
import type { KprobePlanner } from '../../ftrace/kprobes/kprobe-planner.js';
import { KprobeRegistry } from '../../ftrace/kprobes/kprobe-registry.js';
import { FtraceRegistry } from '../../ftrace/register.js';
import { ProgramLivepatches } from '../../ftrace/tracers/program-livepatches.js';
import type { ProgramThread } from './program-thread.js';

/** What the probes of a thread's program need of it. */
const kprobePlanner = (thread: ProgramThread): KprobePlanner => ({
  async place(request) {
    await thread.call((call) => ({ type: 'kprobe', call, request }));
    const found = thread.foundKprobes.get(request.id);
    thread.foundKprobes.delete(request.id);
    if (found === undefined) throw new TraceError('ENODEV', 'the control thread has ended');
    return found;
  },
  setState: (id, state) => thread.tell({ type: 'kprobe state', id, state }),
  addProbe: (id, ops) => thread.runtime.addProbe(id, ops),
  removeSubscriber: (id) => thread.runtime.removeSubscriber(id),
  subscribe: (request) => thread.call((call) => ({ type: 'subscribe', call, request })),
  unsubscribe: (id) => thread.call((call) => ({ type: 'unsubscribe', call, id })),
  statements(n, began) {
    const { statementCalls } = thread.runtime.events.probes;
    if (!statementCalls.add(n, began)) throw new TraceError('EINVAL', 'the function has no sites at statements here');
    return () => statementCalls.remove(n, began);
  },
  settlings: (settled) => thread.runtime.events.probes.settlings(settled),
  inCallback: (run) => thread.runtime.inCallback(run),
  addressOf: (n) => thread.runtime.addressOf(n),
  breakpoint({ n, address, kind, offset, variables, isNext, isCatch, hit, missed, ended }) {
    const set = thread.breakpoints.set({
      ...{ n, address, kind, ranges: [[offset, offset + 1]], expressions: variables, isNext, isCatch },
      hit(values) {
        if (!thread.runtime.inCallback(() => hit(values))) missed();
      },
      ended,
    });
    if (typeof set === 'object') return () => set.remove();
    throw new TraceError(set === 'is one too many' ? 'ENOSPC' : 'EINVAL', `the place ${set}`);
  },
  failed: (error) => say(`a handler of a probe threw, and the probe is gone: ${(error as Error)?.stack ?? error}`),
});

/** The program's own subscribers. */
export const createRegistry = (thread: ProgramThread): FtraceRegistry =>
  new FtraceRegistry({
    addSubscriber: (id, ops) => thread.runtime.addSubscriber(id, ops),
    removeSubscriber: (id) => thread.runtime.removeSubscriber(id),
    subscribe: (request) => thread.call((call) => ({ type: 'subscribe', call, request })),
    unsubscribe: (id) => thread.call((call) => ({ type: 'unsubscribe', call, id })),
  });

/** The program's own probes. */
export function createKprobes(thread: ProgramThread): KprobeRegistry {
  const kprobes = new KprobeRegistry(kprobePlanner(thread));
  thread.onKprobesHalted = (isHalted) => kprobes.halt(isHalted);
  return kprobes;
}

/** The live patches of the program. */
export function createLivepatches(thread: ProgramThread): ProgramLivepatches {
  const livepatches = new ProgramLivepatches((request) => thread.call((call) => ({ type: 'livepatch request', call, request })));
  thread.onLivepatchState = (id, state) => livepatches.changed(id, state);
  return livepatches;
}
