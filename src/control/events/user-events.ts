import { TraceError } from '../../base/errno.js';
import type { TraceEvent } from '../../events/define.js';
import type { FieldSpec } from '../../events/fields.js';
import type { EventRegistry } from '../../events/registry.js';
import type { DynamicEvent } from './dynamic-events.js';

/** The system of the events that the program describes as text. */
const SYSTEM = 'user_events';
/** The most events: as many as the kernel's page of status bits has room for (MAX_EVENTS). */
const MAX_EVENTS = 32768;

const typeOf = ({ type, shape, count }: FieldSpec): string => {
  if (shape === 'dynamic') return `__data_loc ${type}[]`;
  return shape === 'array' ? `${type}[${count}]` : type;
};

const eventsOf = (events: EventRegistry): readonly TraceEvent[] => [...events.all()].filter(({ system }) => system === SYSTEM);

/**
 * A user event in the list of dynamic events (user_event_dops in kernel/trace/trace_events_user.c). The program holds it until it
 * ends.
 */
function dynamicEvent({ name, specs }: TraceEvent): DynamicEvent {
  const fields = Object.entries<FieldSpec>(specs).map(([field, spec]) => `${typeOf(spec)} ${field}`);
  return {
    type: 'user_events',
    line: () => `u:${name}${fields.length === 0 ? '' : ` ${fields.join('; ')}`}`,
    matches: (group, event) => event === name && (group === undefined || group === SYSTEM),
    isBusy: () => true,
    remove() {
      throw new TraceError('EBUSY', `the program has registered ${name}`);
    },
  };
}

/** The user events of the program, for dynamic_events. */
export const dynamicUserEvents = (events: EventRegistry): readonly DynamicEvent[] => eventsOf(events).map(dynamicEvent);

/** The text of user_events_status (user_seq_show). */
export function userEventsStatus(events: EventRegistry): string {
  const all = eventsOf(events);
  const lines = all.map((event, i) => `${i + 1}:${event.name}${events.isUsed(event) ? ' # Used by ftrace' : ''}\n`);
  const busy = all.filter((event) => events.isUsed(event)).length;
  return `${lines.join('')}\nActive: ${all.length}\nBusy: ${busy}\nMax: ${MAX_EVENTS}\n`;
}
