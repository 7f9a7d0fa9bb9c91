import { fileOf } from '../../probes/probe-listing.js';
import type { DynamicEventType } from '../events/dynamic-events.js';
import { userEventsStatus } from '../events/user-events.js';
import type { TraceInstance } from '../trace-array/instance.js';
import { commandLines } from '../tracefs/command-lines.js';
import type { TraceFile, TraceNode } from '../tracefs/node.js';
import { readOnly, textFile } from '../tracefs/text-file.js';
import type { Probe } from './probe-backend.js';

/** A file that lists events and takes lines that define and remove some; opening it with `>` removes all that it lists. */
const definitions = (
  { dynamicEvents, probeEvents }: TraceInstance,
  type: DynamicEventType | undefined,
  write: (line: string) => void | Promise<void>,
): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => dynamicEvents.text(type),
    truncate: () => probeEvents.clear(type),
    async store(text) {
      for (const line of commandLines(text)) await write(line);
    },
  });

/** synthetic_events: each line defines an event, or removes one; opening it with `>` removes all. */
const syntheticEvents = ({ sharedHists: { synthetic } }: TraceInstance): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => synthetic.text(),
    truncate: () => synthetic.removeAll(),
    store(text) {
      for (const line of commandLines(text)) synthetic.write(line);
    },
  });

const profile = (instance: TraceInstance, type: DynamicEventType, line: (probe: Probe) => string): TraceFile =>
  readOnly(() => instance.probeEvents.list(type).map(line).join(''));

/** dynamic_events, kprobe_events, synthetic_events, uprobe_events, and the profiles of probes. */
export function dynamicEventFiles(instance: TraceInstance): Readonly<Record<string, TraceNode>> {
  const { probeEvents, sharedHists, process } = instance;
  const hitsOf = (probe: Probe) => process.probes.hits(probe);
  const number = (value: number): string => String(value).padStart(15);
  return {
    dynamic_events: definitions(instance, undefined, (line) => {
      if (!sharedHists.synthetic.writeDynamic(line)) return probeEvents.write('dynamic_events', line);
    }),
    kprobe_events: definitions(instance, 'kprobe_events', (line) => probeEvents.write('kprobe_events', line)),
    kprobe_profile: profile(instance, 'kprobe_events', (probe) => {
      const { hits, missed } = hitsOf(probe);
      return `  ${probe.definition.event.padEnd(44)} ${number(hits)} ${number(missed)}\n`;
    }),
    synthetic_events: syntheticEvents(instance),
    uprobe_events: definitions(instance, 'uprobe_events', (line) => probeEvents.write('uprobe_events', line)),
    uprobe_profile: profile(instance, 'uprobe_events', (probe) => {
      const { definition } = probe;
      return `  ${fileOf(definition)} ${definition.event.padEnd(44)} ${number(hitsOf(probe).hits)}\n`;
    }),
    user_events_status: readOnly(() => userEventsStatus(process.events)),
  };
}
