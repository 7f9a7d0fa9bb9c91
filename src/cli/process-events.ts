import { TraceError } from '../base/errno.js';
import type { TraceClient } from '../client/trace-client.js';
import { type EventRequest, eventWrites, requestedEvents } from '../events/event-request.js';
import type { EventName } from '../events/set-event-word.js';
import { requestWord } from './event-options.js';
import { didYouMean } from './nearest.js';
import { complain } from './output.js';
import { writeFile } from './write-file.js';

/** The system of what tracers record: its events cannot be enabled. */
const TRACERS = 'ftrace';

/** The events of a process, or of an instance, that can be enabled: an instance has no `available_events`. */
export async function eventsOf(client: TraceClient): Promise<readonly EventName[]> {
  const events: EventName[] = [];
  for (const { name: system, kind } of await client.list('events')) {
    if (kind !== 'directory' || system === TRACERS) continue;
    for (const { name, kind } of await client.list(`events/${system}`)) if (kind === 'directory') events.push({ system, name });
  }
  return events;
}

/** The folder of an event. */
export const eventFolder = ({ system, name }: EventName): string => `events/${system}/${name}`;

/** A request, and the events that it names now. */
export interface NamedEvents {
  readonly request: EventRequest;
  readonly events: readonly EventName[];
}

/** The events that each request names. ENOENT for one that names none. */
export function namedEvents(requests: readonly EventRequest[], known: readonly EventName[]): readonly NamedEvents[] {
  return requests.map((request) => {
    const events = known.filter(requestedEvents(request));
    if (events.length > 0) return { request, events };
    const word = requestWord(request);
    const words = word.includes(':')
      ? known.map(({ system, name }) => `${system}:${name}`)
      : known.flatMap(({ system, name }) => [system, name]);
    throw new TraceError('ENOENT', `no event matches -e ${word}${didYouMean(word, words)}`);
  });
}

/**
 * Does what is asked of events. A filter that only some of a request's events take is no error, as with the file `filter` of a
 * system.
 */
export async function askForEvents(client: TraceClient, named: readonly NamedEvents[]): Promise<void> {
  for (const { request, events } of named) {
    const refused: TraceError[] = [];
    for (const event of events) {
      for (const { path, text } of eventWrites(request, event)) {
        try {
          await writeFile(client, path, text, true);
        } catch (error) {
          if (!(error instanceof TraceError) || !path.endsWith('/filter')) throw error;
          refused.push(error);
        }
      }
    }
    if (refused.length > 0 && refused.length === events.length) throw refused[0]!;
    for (const { message } of refused) complain(message);
  }
}

/** Shows what a file of an event has, without the lines that say that it has nothing. */
export async function eventText(client: TraceClient, event: EventName, file: 'filter' | 'trigger'): Promise<string> {
  const text = await client.read(`${eventFolder(event)}/${file}`);
  return text === 'none\n' || text.startsWith('#') ? '' : text;
}

/** Which trigger a line of `trigger` has, with the event that it switches. */
const TRIGGER_LINE = /^(?!hist:)\w+(?::[^:\n]+:[^:\n]+(?=:(?:unlimited|count=)))?/gm;

/** Removes the filters and triggers of all events, and disables them. */
export async function resetEvents(client: TraceClient): Promise<void> {
  const events = await eventsOf(client);
  for (const system of new Set(events.map((event) => event.system))) await writeFile(client, `events/${system}/filter`, '0');
  const withTriggers: EventName[] = [];
  for (const event of events) if ((await eventText(client, event, 'trigger')) !== '') withTriggers.push(event);
  // What has variables that another one uses goes only after that one.
  for (let left = withTriggers, before = 0; left.length > 0 && left.length !== before; ) {
    before = left.length;
    const still: EventName[] = [];
    for (const event of left) if (!(await removeTriggers(client, event))) still.push(event);
    left = still;
  }
  // Only now: a trigger may have enabled one.
  await writeFile(client, 'set_event', '');
}

/** Returns whether all of them are gone. */
async function removeTriggers(client: TraceClient, event: EventName): Promise<boolean> {
  const path = `${eventFolder(event)}/trigger`;
  for (const [trigger] of (await client.read(path)).matchAll(TRIGGER_LINE)) await writeFile(client, path, `!${trigger}`, true);
  // Opened so, it loses its histograms.
  await client.write(path, '');
  return (await eventText(client, event, 'trigger')) === '';
}
