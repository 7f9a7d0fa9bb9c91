import { TraceError } from '../../base/errno.js';
import { fileOf } from '../../probes/probe-listing.js';
import { GROUPS } from '../../probes/probe-names.js';
import type { DynamicEventType } from '../events/dynamic-events.js';
import type { Feature } from '../tracefs/feature.js';
import type { TraceFile, TraceNode } from '../tracefs/node.js';
import { readOnly, textFile } from '../tracefs/text-file.js';
import type { DefinedEvents } from './defined-events.js';
import { type KprobeList, kprobesDirectory } from './kprobes-directory.js';
import type { ProbeSource } from './probe-source.js';
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
  readonly top: { readonly defined: DefinedEvents };
  readonly probes: Pick<ProbeTable, 'hits'>;
  readonly kprobes: KprobeList;
  readonly probeSource: ProbeSource;
}

/** dynamic_events, kprobe_events, synthetic_events, uprobe_events, and the profiles of probes. */
function dynamicEventFiles({ top: { defined }, probes }: ProbedProcess): Readonly<Record<string, TraceNode>> {
  const hitsOf = (probe: AddedProbe) => probes.hits(probe);
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
  };
}

const HELP = `
  synthetic_events     - events that hist triggers generate; ! before a name removes one
      example: echo 'order_latency u64 lat; char name[]' >> synthetic_events
  dynamic_events       - Create/append/remove/show all events that are defined here, one definition per line
  kprobe_events        - Create/append/remove/show probes of functions; kprobe_profile has how often each was hit and missed
  uprobe_events        - Create/append/remove/show probes by file; uprobe_profile has how often each was hit
          Format: p[:[<group>/][<event>]] <place> [<args>]
                  r[maxactive][:[<group>/][<event>]] <place> [<args>]
                  f[:[<group>/][<event>]] <function>[%return] [<args>]
                  t[:[<group>/][<event>]] <tracepoint> [<args>]
                  s:[synthetic/]<event> <field> [<field>]
                  e[:[<group>/][<event>]] <attached-group>.<attached-event> [<args>] [if <filter>]
                  -:[<group>/][<event>]
           place: [<module>:]<symbol>[+<offset>]|<memaddr>|<symbol>:<line>|<path>:<line>
       place (kretprobe): [<module>:]<symbol>[+<offset>]%return|<memaddr>|[<module>:]<symbol>%settled
          place (uprobe): <path>:<line>|<path>:0x<offset>[%return]
            args: <name>=fetcharg[:type]
        fetcharg: <variable>, this, @<variable>, $<efield>, $arg<N>, $arg*, $retval, $status, $duration, and members: .<name> -><name> [<N>],
                  $stack<index>, $stack, $comm,
                  +|-[u]<offset>(<fetcharg>), \\imm-value, \\"imm-string"
            type: s8/16/32/64, u8/16/32/64, x8/16/32/64, char, string, symbol,
                  b<bit-width>@<bit-offset>/<container-size>, ustring,
                  symstr, <type>\\[<array-size>\\]; none: any value of JavaScript as text
           field: <stype> <name>;
          efield: a field of <attached-group>.<attached-event>
          example: echo 'p:login handleLogin user=req.body.user:string' >> kprobe_events
`;

const GROUP_OF_LETTER: Readonly<Record<string, string>> = { f: GROUPS.fprobe, t: GROUPS.tprobe };

/** The group of the event that a line of kprobe_events defines. */
const groupOf = (line: string): string =>
  /^[^\s:]*:([^\s/.]+)[/.]/.exec(line)?.[1] ?? GROUP_OF_LETTER[line.charAt(0)] ?? GROUPS.kprobe;

/** The files that define events, those that say what probes there are and can be, and the parameter for probes. */
export const probesFeature: Feature<ProbedProcess> = {
  name: 'probes',
  files: (process) => ({
    ...dynamicEventFiles(process),
    kprobes: kprobesDirectory(process.kprobes, process.probeSource),
  }),
  help: HELP,
  parameters: [
    [
      'kprobe_event',
      ([line]: readonly [string]) => [
        { path: 'kprobe_events', text: line },
        { path: `events/${groupOf(line)}/enable`, text: '1' },
      ],
    ],
  ],
};
