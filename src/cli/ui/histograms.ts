import type { LiveHistogram } from '../../answers/live/live-answer.js';
import type { TraceClient } from '../../client/trace-client.js';
import { eventFolder, eventsOf, eventText } from '../process-events.js';

/** So many events are read at once. */
const AT_ONCE = 16;

/** The histograms of all events. */
export async function histogramsOf(client: TraceClient): Promise<readonly LiveHistogram[]> {
  const events = await eventsOf(client);
  const found: LiveHistogram[] = [];
  for (let i = 0; i < events.length; i += AT_ONCE) {
    const texts = events.slice(i, i + AT_ONCE).map(async (event) => {
      const lines = (await eventText(client, event, 'trigger')).split('\n').filter((line) => line.startsWith('hist:'));
      return lines.map((line) => ({
        event: `${event.system}:${event.name}`,
        folder: eventFolder(event),
        trigger: line.replace(/ \[(active|paused)\]$/, ''),
      }));
    });
    found.push(...(await Promise.all(texts)).flat());
  }
  return found;
}
