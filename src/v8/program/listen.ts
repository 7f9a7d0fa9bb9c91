import type { BroadcastChannel } from 'node:worker_threads';

/** The method by which Node hands a message to the port under a channel. */
const DISPATCH = Symbol.for('nodejs.internal.kHybridDispatch');

/**
 * Calls `receive` with each message of a channel. If Node allows it, no event object is created: for the first event of a
 * thread, Node 22 and newer load undici, which takes some 50 ms of the program's time and ends a program whose global object is
 * not extensible.
 */
export const listen = <Message>(channel: BroadcastChannel, receive: (message: Message) => void): void => {
  channel.onmessage = (event) => receive((event as { data: Message }).data);
  const handle = Object.getOwnPropertySymbols(channel).find(({ description }) => description === 'kHandle');
  const port = handle && (channel as unknown as Record<symbol, unknown>)[handle];
  if (typeof port === 'object' && port !== null && DISPATCH in port)
    Object.defineProperty(port, DISPATCH, {
      value: (message: Message, type: string) => {
        if (type === 'message') receive(message);
      },
    });
};
