import type { BroadcastChannel } from 'node:worker_threads';
import type { ThreadCommand } from '../shared/protocol.js';

/** A command that was sent and will not arrive. */
export interface LostCommand {
  readonly type: 'lost';
  readonly seq: number;
}

/**
 * The commands that wait to be obeyed, in the order in which they were sent. They may arrive in another order: if an interrupt
 * comes while Node is delivering a message, the messages after it are received first. One that is lost has its turn too.
 */
export class CommandQueue<Command extends Pick<ThreadCommand, 'seq'> = ThreadCommand> {
  /** By their number. */
  readonly #received: Record<number, Command | LostCommand> = Object.create(null) as Record<number, Command | LostCommand>;
  #next = 1;
  #last = 0;
  /** Messages that could not be read, and were not found to be one of these commands. */
  #unread = 0;

  /** Received without the event loop. */
  put(command: Command): void {
    // It was given up.
    if (command.seq < this.#next) return;
    this.#received[command.seq] = command;
    if (command.seq > this.#last) this.#last = command.seq;
  }

  /** Received by the event loop, which delivers what was sent before first: a command that is not there is lost. */
  deliver(command: Command): void {
    this.#lose(command.seq);
    this.put(command);
  }

  /** A message could not be read. */
  unread(): void {
    this.#unread++;
  }

  /**
   * All that is there was received without the event loop. As many commands are missing as messages could not be read: they are
   * lost. With one more, the event loop may be delivering one of them.
   */
  received(): void {
    let missing = 0;
    for (let seq = this.#next; seq < this.#last; seq++) if (this.#received[seq] === undefined) missing++;
    if (missing <= this.#unread) this.#lose(this.#last);
  }

  /** Gives up those that are missing before this one. */
  #lose(before: number): void {
    for (let seq = this.#next; seq < before; seq++) {
      if (this.#received[seq] !== undefined) continue;
      this.put({ type: 'lost', seq } as LostCommand & Command);
      if (this.#unread > 0) this.#unread--;
    }
  }

  /** The one whose turn it is; undefined while it has not been received. */
  get next(): Command | LostCommand | undefined {
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
 * Calls `receive` with each message of a channel, and `unread` for one that V8 cannot read. If Node allows it, no event object is
 * created: for the first event of a thread, Node 22 and newer load undici, which takes some 50 ms of the program's time and ends
 * a program whose global object is not extensible.
 */
export const listen = <Message extends object>(
  channel: BroadcastChannel,
  receive: (message: Message) => void,
  unread: () => void,
): void => {
  // Node 26 delivers null for some that it cannot read.
  const take = (message: Message | null): void => (message === null ? unread() : receive(message));
  channel.onmessage = (event) => take((event as { data: Message | null }).data);
  channel.onmessageerror = unread;
  const handle = Object.getOwnPropertySymbols(channel).find(({ description }) => description === 'kHandle');
  const port = handle && (channel as unknown as Record<symbol, unknown>)[handle];
  if (typeof port === 'object' && port !== null && DISPATCH in port)
    Object.defineProperty(port, DISPATCH, {
      value: (message: Message | null, type: string) => {
        if (type === 'message') take(message);
        else if (type === 'messageerror') unread();
      },
    });
};
