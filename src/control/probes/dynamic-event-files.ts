import { TraceError } from '../../base/errno.js';
import type { EventRegistry } from '../../events/registry.js';
import { fileOf } from '../../probes/probe-listing.js';
import type { DynamicEventType } from '../events/dynamic-events.js';
import { userEventsStatus } from '../events/user-events.js';
import type { TraceFile, TraceNode } from '../tracefs/node.js';
import { readOnly, textFile } from '../tracefs/text-file.js';
import type { DefinedEvents } from './defined-events.js';
import type { AddedProbe, ProbeTable } from './probe-table.js';

/** The longest line (WRITE_BUFSIZE less its end). */
const MAX_LINE = 4094;

/**
 * The commands of one write to a file of definitions (trace_parse_run_command): one on each line, also on the last line without
 * a newline; what follows a `#` is a comment, but for a name of JavaScript (`this.#total`), and empty lines are ignored.
 * @throws TraceError EINVAL for a line that is too long, or has a NUL; the lines before it have been returned
 */
export function* commandLines(text: string): Generator<string> {
  for (const line of text.split('\n')) {
    if (line.length > MAX_LINE) throw new TraceError('EINVAL', `a line of more than ${MAX_LINE} characters`);
    if (line.includes('\0')) throw new TraceError('EINVAL', 'a line with a NUL byte');
    // The error log shows a refused command with the blanks at its end.
    const command = line.replace(/(?<!\.|->)#.*$/s, '').trimStart();
    if (command !== '') yield command;
  }
}

/** A file that lists events and takes lines that define and remove some; opening it with `>` removes all that it lists. */
const definitions = (
  { dynamic, probes }: DefinedEvents,
  type: DynamicEventType | undefined,
  write: (line: string) => void | Promise<void>,
): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => dynamic.text(type),
    truncate: () => probes.clear(type),
    async store(text) {
      for (const line of commandLines(text)) await write(line);
    },
  });

/** synthetic_events: each line defines an event, or removes one; opening it with `>` removes all. */
const syntheticEvents = ({ synthetic }: DefinedEvents): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => synthetic.text(),
    truncate: () => synthetic.removeAll(),
    store(text) {
      for (const line of commandLines(text)) synthetic.write(line);
    },
  });

const profile = (defined: DefinedEvents, type: DynamicEventType, line: (probe: AddedProbe) => string): TraceFile =>
  readOnly(() => defined.probes.list(type).map(line).join(''));

/** What the files of probes and dynamic events need of the process. */
export interface ProbedProcess {
  readonly events: EventRegistry;
  readonly probes: Pick<ProbeTable, 'hits'>;
}

/** dynamic_events, kprobe_events, synthetic_events, uprobe_events, and the profiles of probes. */
export function dynamicEventFiles(defined: DefinedEvents, process: ProbedProcess): Readonly<Record<string, TraceNode>> {
  const hitsOf = (probe: AddedProbe) => process.probes.hits(probe);
  const number = (value: number): string => String(value).padStart(15);
  return {
    dynamic_events: definitions(defined, undefined, (line) => {
      if (!defined.synthetic.writeDynamic(line)) return defined.probes.write('dynamic_events', line);
    }),
    kprobe_events: definitions(defined, 'kprobe_events', (line) => defined.probes.write('kprobe_events', line)),
    kprobe_profile: profile(defined, 'kprobe_events', (probe) => {
      const { hits, missed } = hitsOf(probe);
      return `  ${probe.definition.event.padEnd(44)} ${number(hits)} ${number(missed)}\n`;
    }),
    synthetic_events: syntheticEvents(defined),
    uprobe_events: definitions(defined, 'uprobe_events', (line) => defined.probes.write('uprobe_events', line)),
    uprobe_profile: profile(defined, 'uprobe_events', (probe) => {
      const { definition } = probe;
      return `  ${fileOf(definition)} ${definition.event.padEnd(44)} ${number(hitsOf(probe).hits)}\n`;
    }),
    user_events_status: readOnly(() => userEventsStatus(process.events)),
  };
}
