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
