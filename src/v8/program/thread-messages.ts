import type { BroadcastChannel } from 'node:worker_threads';
import type { ThreadCommand } from '../shared/protocol.js';

/**
 * The commands that wait to be obeyed, in the order in which they were sent. They may arrive in another order: if an interrupt
 * comes while Node is delivering a message, the messages after it are received first.
 */
export class CommandQueue<Command extends Pick<ThreadCommand, 'seq'> = ThreadCommand> {
  /** By their number. */
  readonly #received: Record<number, Command> = Object.create(null) as Record<number, Command>;
  #next = 1;

  put(command: Command): void {
    this.#received[command.seq] = command;
  }

  /** The one whose turn it is; undefined while it has not been received. */
  get next(): Command | undefined {
    return this.#received[this.#next];
  }

  /** The one whose turn it was has been obeyed. */
  take(): void {
    delete this.#received[this.#next];
    this.#next++;
  }
}

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
