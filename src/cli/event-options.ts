import { parseArgs } from 'node:util';
import type { EventRequest } from '../events/event-request.js';
import { TRIGGERS } from '../events/trigger/trigger-commands.js';
import type { OptionSpecs } from './option-specs.js';
import { UsageError } from './verb.js';

/** The letters of trace-cmd that choose events: each belongs to those before it. */
export const EVENT_OPTIONS = {
  event: { type: 'string', short: 'e', multiple: true },
  'event-filter': { type: 'string', short: 'f', multiple: true },
  trigger: { type: 'string', short: 'R', multiple: true },
  invert: { type: 'boolean', short: 'v' },
} as const satisfies OptionSpecs;

/** What --help says of them. */
export const EVENT_HELP = `  -e EVENT               record this event: SYSTEM:EVENT, a system or an event, * ? [] as in a shell,
                         or all; may be repeated. Without -p, no functions are recorded then
  -f FILTER              only records of the event before for which this holds: 'bytes_req > 512'
  -R TRIGGER             a trigger for the event before: 'stacktrace:5 if bytes_req > 512'
  -v                     leave out the events that follow: -e sched -v -e 'sched_stat*'
`;

/** The word for every event. */
const ALL = 'all';

/** What a command line asks of events, in its order. UsageError for -f and -R without an event. */
export function eventRequests(args: readonly string[], specs: OptionSpecs): readonly EventRequest[] {
  const { tokens } = parseArgs({ args: [...args], options: specs, allowPositionals: true, tokens: true });
  const requests: { pattern: string; enable: boolean; filter?: string; triggers: string[] }[] = [];
  let enable = true;
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value = '' } = token;
    const last = requests.at(-1);
    if (name === 'invert') enable = false;
    else if (name === 'event') requests.push({ pattern: value === ALL ? '*:*' : value, enable, triggers: [] });
    else if (name !== 'event-filter' && name !== 'trigger') continue;
    else if (last === undefined) throw new UsageError(`${rawName} '${value}' belongs behind an event: -e EVENT ${rawName} ...`);
    else if (name === 'trigger') last.triggers.push(triggerOf(value, rawName));
    else last.filter = value;
  }
  return requests;
}

/** An event, and a trigger of it behind a blank: what some type who know bpftrace's probes. */
const EVENT_AND_TRIGGER = new RegExp(`^([\\w*?-]+[/:][\\w*?-]+)\\s+((?:${Object.keys(TRIGGERS).join('|')})\\b.*)$`);

/** A trigger, which says what is done. @throws UsageError where it begins with an event */
function triggerOf(value: string, rawName: string): string {
  const [, event, trigger] = EVENT_AND_TRIGGER.exec(value) ?? [];
  if (event === undefined) return value;
  throw new UsageError(`${rawName} takes the trigger alone, its event stands before it: -e ${event} ${rawName} '${trigger}'`);
}

/** An event as the command line names it. */
export const requestWord = ({ pattern }: EventRequest): string => (pattern === '*:*' ? ALL : pattern);
