import { SafeMap } from '../../base/safe-map.js';
import type { ProbeChange } from '../../ftrace/tracers/services.js';
import { type EntryFunction, IGNORED } from './entry.js';
import { PROBE_ACTIONS, type ProbeActionNeeds } from './probe-actions.js';
import type { TraceService } from './services.js';

/** One probe of one function, ready to fire. */
interface ArmedProbe {
  readonly probe: number;
  fire(): void;
}

const NONE: readonly ArmedProbe[] = [];

/** The probes of one thread (function_trace_probe_call): at a function's entry each of its probes fires, the newest first. */
export function createProbeService(effects: ProbeActionNeeds): TraceService {
  /** By function number. */
  const armed = new SafeMap<number, readonly ArmedProbe[]>();

  const entry: EntryFunction = (n) => {
    const probes = armed.get(n) ?? NONE;
    for (let i = 0; i < probes.length; i++) probes[i]!.fire();
    return IGNORED;
  };

  function add({ probe, instance, command, group }: Extract<ProbeChange, { type: 'add' }>): void {
    const { counts, places, event } = group;
    const action = PROBE_ACTIONS[command];
    group.functions.forEach((n, i) => {
      const target = { instance, event: event ?? 0 };
      const fire =
        counts === undefined ? () => action.always(effects, target) : () => action.counted(effects, target, counts, places![i]!);
      const others = (armed.get(n) ?? NONE).filter((one) => one.probe !== probe);
      armed.set(
        n,
        [...others, { probe, fire }].sort((a, b) => b.probe - a.probe),
      );
    });
  }

  function remove({ probe, functions }: Extract<ProbeChange, { type: 'remove' }>): void {
    for (const n of functions) {
      const left = (armed.get(n) ?? NONE).filter((one) => one.probe !== probe);
      if (left.length === 0) armed.delete(n);
      else armed.set(n, left);
    }
  }

  return {
    entry,
    configure(change) {
      const one = change as ProbeChange | undefined;
      if (one === undefined) armed.clear();
      else if (one.type === 'add') add(one);
      else remove(one);
    },
  };
}
