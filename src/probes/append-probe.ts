import { FIRST_ARGUMENT } from './parse-arguments.js';
import { ProbeCommand } from './probe-command.js';
import type { ProbeDefinition, ProbeKind } from './probe-definition.js';
import type { ProbeLocation } from './probe-errors.js';
import { placeText } from './probe-listing.js';

/** Kinds whose probes can share an event, each with who refuses them. */
export const LOCATIONS: Readonly<Record<ProbeKind, ProbeLocation>> = {
  kprobe: 'trace_kprobe',
  kretprobe: 'trace_kprobe',
  settled: 'trace_kprobe',
  fprobe: 'trace_fprobe',
  fexit: 'trace_fprobe',
  tprobe: 'trace_fprobe',
  uprobe: 'trace_uprobe',
  uretprobe: 'trace_uprobe',
  eprobe: 'event_probe',
};

/** The first argument that differs in its name or type (trace_probe_compare_arg_type); undefined: none. */
function differingArgument({ args: a }: ProbeDefinition, { args: b }: ProbeDefinition): number | undefined {
  if (a.length !== b.length) return Math.min(a.length, b.length);
  const differs = a.findIndex(({ name, type }, i) => {
    const other = b[i]!;
    return name !== other.name || type.name !== other.type.name || type.count !== other.type.count;
  });
  return differs < 0 ? undefined : differs;
}

/** Whether two probes of an event would record the same at the same place. */
const isSame = (a: ProbeDefinition, b: ProbeDefinition): boolean =>
  placeText(a) === placeText(b) && a.args.every(({ text }, i) => text === b.args[i]!.text);

/**
 * Checks a probe whose event there is already (register_trace_kprobe, append_trace_kprobe).
 * @param probes those of the event; empty: the event is none of this kind of probes
 * @throws ProbeError EEXIST
 */
export function checkAppended(words: readonly string[], probe: ProbeDefinition, probes: readonly ProbeDefinition[]): void {
  const command: ProbeCommand = new ProbeCommand(LOCATIONS[probe.kind], words);
  const [first] = probes;
  if (first === undefined || probe.kind === 'eprobe' || LOCATIONS[first.kind] !== LOCATIONS[probe.kind])
    command.refuse('EVENT_EXIST', 0);
  if (first.kind !== probe.kind) command.refuse('DIFF_PROBE_TYPE', 0);
  const differs = differingArgument(probe, first);
  if (differs !== undefined) command.refuse('DIFF_ARG_TYPE', FIRST_ARGUMENT + differs);
  if (probes.some((other) => isSame(probe, other))) command.refuse('SAME_PROBE', 0);
}
