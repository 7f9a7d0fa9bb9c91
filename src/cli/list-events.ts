import { TraceError } from '../base/errno.js';
import type { TraceClient } from '../client/trace-client.js';
import { eventPattern } from '../events/event-request.js';
import type { EventName } from '../events/set-event-word.js';
import { print } from './output.js';
import { eventFolder, eventsOf, eventText } from './process-events.js';

/** What a list of events shows of each. */
export type EventPart = 'name' | 'fields' | 'format' | 'filter' | 'trigger';

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
export async function listEvents(client: TraceClient, pattern: string | undefined, part: EventPart): Promise<void> {
  const names = pattern === undefined ? () => true : eventPattern(pattern);
  const events = (await eventsOf(client)).filter(names);
  if (pattern !== undefined && events.length === 0) throw new TraceError('ENOENT', `no event matches ${pattern}`);
  for (const event of events) print(await SHOWN[part](client, event));
}
