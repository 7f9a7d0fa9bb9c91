import { functionsText } from '../../answers/functions/functions-text.js';
import { TraceError } from '../../base/errno.js';
import type { TraceClient } from '../../client/trace-client.js';
import { eventPattern } from '../../events/event-request.js';
import type { EventName } from '../../events/set-event-word.js';
import { printAnswer } from '../answer-output.js';
import { type OptionValues, PID_OPTION, parseOptions } from '../arguments.js';
import { functionsOf } from '../function-places.js';
import { print } from '../output.js';
import { eventFolder, eventsOf, eventText } from '../process-events.js';
import { withConverted } from '../record/conversion-into.js';
import { targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';

/** What a list of events shows of each. */
type EventPart = 'name' | 'fields' | 'format' | 'filter' | 'trigger';

type Show = (client: TraceClient, event: EventName) => Promise<string>;

const nameOf = ({ system, name }: EventName): string => `${system}:${name}\n`;

const formatOf: Show = async (client, event) => `system: ${event.system}\n${await client.read(`${eventFolder(event)}/format`)}\n`;

/** What of each event is shown, as `trace-cmd list -e` prints it: events without a filter, or without a trigger, are left out. */
const SHOWN: Readonly<Record<EventPart, Show>> = {
  name: async (_client, event) => nameOf(event),
  format: formatOf,
  fields: async (client, event) => (await formatOf(client, event)).replace(/^print fmt: [\s\S]*$/m, ''),
  filter: (client, event) => withText(client, event, 'filter'),
  trigger: (client, event) => withText(client, event, 'trigger'),
};

async function withText(client: TraceClient, event: EventName, file: 'filter' | 'trigger'): Promise<string> {
  const text = await eventText(client, event, file);
  return text === '' ? '' : `${nameOf(event)}${text}\n`;
}

/** Prints the events that a pattern names, or all. ENOENT if it names none. */
async function listEvents(client: TraceClient, pattern: string | undefined, part: EventPart): Promise<void> {
  const names = pattern === undefined ? () => true : eventPattern(pattern);
  const events = (await eventsOf(client)).filter(names);
  if (pattern !== undefined && events.length === 0) throw new TraceError('ENOENT', `no event matches ${pattern}`);
  for (const event of events) print(await SHOWN[part](client, event));
}

/** Prints the functions that a pattern names, or all. ENOENT if it names none. */
async function listFunctions(client: TraceClient, pattern: string | undefined, isJson: boolean): Promise<void> {
  const answer = await functionsOf(client, pattern);
  if (pattern !== undefined && answer.functions.length === 0) throw new TraceError('ENOENT', `no function matches ${pattern}`);
  printAnswer(answer, functionsText, { json: isJson });
}

const OPTIONS = {
  ...PID_OPTION,
  functions: { type: 'boolean', short: 'f' },
  json: { type: 'boolean' },
  events: { type: 'boolean', short: 'e' },
  formats: { type: 'boolean', short: 'F' },
  full: { type: 'boolean' },
  triggers: { type: 'boolean', short: 'R' },
  filters: { type: 'boolean', short: 'l' },
  tracers: { type: 'boolean', short: 't' },
  options: { type: 'boolean', short: 'o' },
  clocks: { type: 'boolean', short: 'C' },
  instances: { type: 'boolean', short: 'B' },
  // trace-cmd's older name for tracers.
  plugins: { type: 'boolean', short: 'p' },
} as const;

/** What each letter lists, and the file it comes from. */
const LISTS = [
  ['tracers', 'available_tracers'],
  ['plugins', 'available_tracers'],
  ['options', 'trace_options'],
  ['clocks', 'trace_clock'],
] as const;

/** What is printed of each event. */
function shownOf({ formats, full, triggers, filters }: OptionValues<typeof OPTIONS>): EventPart {
  if (formats) return full ? 'format' : 'fields';
  return filters ? 'filter' : triggers ? 'trigger' : 'name';
}

export const list: Verb = {
  name: 'list',
  synopsis: '[--pid PID] -f [PATTERN] [--json] | -e [PATTERN] [-F [--full] | -R | -l] | -t | -o | -C | -B',
  summary: 'list traceable functions, events, tracers, options, clocks, or instances',
  options: OPTIONS,
  help: `  -f [PATTERN]    functions, with their package in brackets and their place; PATTERN as in -l: 'handle*', ':mod:express'
  --json          with -f: the functions as data, as docs/json.md describes it
  -e [PATTERN]    events; PATTERN is one, a system, or both with a colon, with globs: 'sched:*'
  -F, --full      with -e: the fields of each event, and with --full how it is printed
  -R              with -e: the triggers of each event
  -l              with -e: the filter of each event
  -t              tracers
  -o              trace options
  -C              clocks; the current one is in brackets
  -B              instances

Example: fentry list -f 'handle*'
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const [first] = LISTS.filter(([name]) => values[name]);
    const [pattern, ...more] = words;
    if (first === undefined && !values.functions && !values.instances && !values.events)
      throw new UsageError('choose what to list: -f functions, -e events, -t tracers, -o options, -C clocks, -B instances');
    if (more.length > 0 || (pattern !== undefined && !values.functions && !values.events))
      throw new UsageError(`one pattern, after -f or -e: '${words.join("' '")}'`);
    if (values.json && !values.functions) throw new UsageError('--json belongs to -f');
    const client = await targetOf(values);
    if (values.functions) {
      await listFunctions(client, pattern, values.json === true);
      return 0;
    }
    if (values.events) {
      await listEvents(client, pattern, shownOf(values));
      return 0;
    }
    if (first === undefined) {
      for (const { name } of await client.list('instances')) print(`${name}\n`);
      return 0;
    }
    const text = await client.read(first[1]);
    print(first[0] === 'clocks' ? withConverted(text) : text);
    return 0;
  },
};
