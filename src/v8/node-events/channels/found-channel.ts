import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { unseenMicrotask } from '../../../base/unseen-microtask.js';
import { traceEvent } from '../../../tracepoint/trace-event.js';
import type { Tracepoint } from '../../../tracepoint/tracepoint.js';
import type { SourceThread } from '../node-event-system.js';
import { layoutEvent, layoutFrom, layoutOf, type MessageLayout } from './message-layout.js';

export const SYSTEM = 'diagnostics_channel';

/** A message that is there already, though it may be undefined. */
export interface FirstMessage {
  readonly message: unknown;
}

const OPEN_EVENT = { args: ['message'], fields: {}, print: '""' } as const;

/**
 * Subscribes to a channel while its event has a probe. Nothing is unsubscribed while a message is being published: the channel
 * would leave out a listener of the program.
 */
function follower(channel: string | symbol, heard: (message: unknown) => void) {
  let isWanted = false;
  let isSubscribed = false;
  let isHearing = false;
  const update = (): void => {
    if (isHearing || isWanted === isSubscribed) return;
    isSubscribed = isWanted;
    if (isWanted) subscribe(channel, listener);
    else unsubscribe(channel, listener);
  };
  const updateSoon = unseenMicrotask(update);
  const listener = (message: unknown): void => {
    if (!isWanted || isHearing) return;
    isHearing = true;
    try {
      heard(message);
    } finally {
      isHearing = false;
      if (!isWanted) updateSoon();
    }
  };
  return (on: boolean): void => {
    isWanted = on;
    update();
  };
}

/**
 * Declares the event of a channel that was found. Its fields are the properties of its first message, of those that any thread
 * gets while the event is enabled; or of the message by which it was found. They stay as they are.
 */
export function declareFound(thread: SourceThread, channel: string | symbol, event: string, first?: FirstMessage): void {
  /** The layout of this thread's own, of its first message. */
  let own: MessageLayout = first === undefined ? [] : layoutOf(first.message);
  /** What the event has. */
  let isLaidOut = first !== undefined;
  thread.setOpen(SYSTEM, event, {
    ...(typeof channel === 'string' && { source: channel }),
    hasFields: isLaidOut,
    getters(specs) {
      if (Object.keys(specs).length === 0) return [];
      isLaidOut = true;
      return Object.values(layoutEvent(layoutFrom(specs, own)).fields).map(({ get }) => get);
    },
  });
  const follow = follower(channel, (message) => {
    if (!isLaidOut) {
      own = layoutOf(message);
      const { fields, print } = layoutEvent(own);
      thread.giveFields({ system: SYSTEM, name: event, fields, print });
    }
    if (isLaidOut) tracepoint(message);
    else thread.missed();
  });
  const declared = first === undefined ? OPEN_EVENT : layoutEvent(own);
  const tracepoint: Tracepoint<readonly [unknown]> = traceEvent<readonly [unknown]>(SYSTEM, event, {
    ...declared,
    onFirst: () => follow(true),
    onLast: () => follow(false),
  });
}
