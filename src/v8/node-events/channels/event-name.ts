import { channelEventName } from '../../../base/channel-event-name.js';

const descriptionOf = Object.getOwnPropertyDescriptor(Symbol.prototype, 'description')!.get!;
const { apply } = Reflect;

/** The event's name of a channel, whose name may be a symbol. */
export const eventNameOf = (channel: string | symbol): string =>
  channelEventName(typeof channel === 'string' ? channel : ((apply(descriptionOf, channel, []) as string | undefined) ?? ''));
