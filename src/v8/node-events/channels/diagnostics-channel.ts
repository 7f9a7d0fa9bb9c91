import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { string } from '../../../tracepoint/fields.js';
import { SafeMap } from '../../realm/primordials.js';
import { type NodeEventSource, nodeEventSystem, type SourceThread } from '../node-event-system.js';
import { eventNameOf } from './event-name.js';
import { declareFound, type FirstMessage, SYSTEM } from './found-channel.js';
import { KNOWN_CHANNELS } from './known-channels.js';
import { messageEvent } from './message-event.js';
import { watchChannels } from './watch-channels.js';

/** The event that tells of channels: while it is enabled, channels that are not known become events when they are first used. */
const WATCH = 'channel';

type Events = Record<string, readonly unknown[]>;
type Fire = (...args: readonly unknown[]) => void;

/** More would only be names that a program makes up as it runs. */
const MOST = 1000;

/** Records the messages of a channel until what it returns is called. */
function follow(channel: string | symbol, tracepoint: () => Fire): () => void {
  const listener = (message: unknown): void => tracepoint()(message);
  subscribe(channel, listener);
  return () => void unsubscribe(channel, listener);
}

const known = Object.entries(KNOWN_CHANNELS).map(([channel, fields]) => ({ channel, fields, event: eventNameOf(channel) }));

/** Channels that were found in this thread, with the names of their events. */
const events = new SafeMap<string | symbol, string>();
const names = new SafeMap<string, true>();
for (const { channel, event } of [...known, { channel: Symbol(WATCH), event: WATCH }]) {
  events.set(channel, event);
  names.set(event, true);
}

/** The name of the event that a channel gets. Two channels may have names that make one event's: then a number follows. */
function freeName(channel: string | symbol): string {
  const wanted = eventNameOf(channel);
  let event = wanted;
  for (let i = 2; names.has(event); i++) event = `${wanted}_${i}`;
  return event;
}

function declareAs(thread: SourceThread, channel: string | symbol, event: string, first?: FirstMessage): void {
  events.set(channel, event);
  names.set(event, true);
  declareFound(thread, channel, event, first);
}

/**
 * The channels of diagnostics_channel: an event for each that Node documents. Others become events while `channel` is enabled,
 * when the thread first uses them.
 */
export const diagnosticsChannels = nodeEventSystem<Events>(SYSTEM, {
  events: {
    ...Object.fromEntries(known.map(({ event, fields }) => [event, messageEvent(fields) as never])),
    [WATCH]: {
      args: ['name', 'event'],
      fields: { name: string((name) => name as string), event: string((_name, event) => event as string) },
      print: '"%s event=%s", __get_str(name), __get_str(event)',
    },
  },
  sources: [
    { events: [WATCH], start: (trace, thread) => watch(thread, trace[WATCH] as Fire) },
    ...known.map(
      ({ channel, event }): NodeEventSource<Events> => ({
        events: [event],
        start: (trace) => follow(channel, () => trace[event] as Fire),
      }),
    ),
  ],
  meet(thread, event, channel) {
    // It may have been found here by another name, or another channel by this one.
    if (!events.has(channel) && !names.has(event)) declareAs(thread, channel, event);
  },
});

/** Tells of each channel once, until the end. */
function watch(thread: SourceThread, found: Fire): () => void {
  const told = new SafeMap<string | symbol, true>();
  let isInside = false;
  return watchChannels((channel, first) => {
    if (isInside || told.has(channel) || told.size >= MOST) return;
    isInside = true;
    try {
      told.set(channel, true);
      const known = events.get(channel);
      const event = known ?? freeName(channel);
      if (known === undefined) declareAs(thread, channel, event, first);
      found(channel, event);
    } catch {
      // The program goes on without the event.
    } finally {
      isInside = false;
    }
  });
}
