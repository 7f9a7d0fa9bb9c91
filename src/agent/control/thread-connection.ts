import { BroadcastChannel } from 'node:worker_threads';
import { channelName, type ThreadCommand, type ThreadEvent } from '../protocol.js';

type Unsent = ThreadCommand extends infer Command ? (Command extends ThreadCommand ? Omit<Command, 'seq'> : never) : never;

/** How long a thread has to obey by itself before it is interrupted, in milliseconds. */
const COURTESY = 10;
/**
 * How long a command is waited for. A thread that has not obeyed then is blocked outside of JavaScript (Atomics.wait, a
 * synchronous child process): it obeys when it runs again.
 */
const PATIENCE = 900;

interface Waiting {
  readonly seq: number;
  readonly done: () => void;
}

/** Which thread a connection is to, and who is told. */
export interface ConnectionOptions {
  readonly nonce: string;
  readonly cpu: number;
  /** The thread's id at the operating system: pid of its records. */
  readonly tid: number;
  readonly onEvent: (event: ThreadEvent) => void;
  /** Has the thread obey though it is busy; goes on until the promise resolves. */
  readonly interrupt: (obeyed: Promise<void>) => void;
}

/** The control thread's end of the channel with one program thread. */
export class ThreadConnection {
  readonly cpu: number;
  readonly tid: number;
  readonly #options: ConnectionOptions;
  readonly #channel: BroadcastChannel;
  #seq = 0;
  #acked = 0;
  #answers = true;
  #waiting: Waiting[] = [];
  #ended = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.cpu = options.cpu;
    this.tid = options.tid;
    this.#channel = new BroadcastChannel(channelName(options.nonce, options.cpu));
    this.#channel.onmessage = (event) => this.#receive((event as { data: ThreadEvent }).data);
  }

  /** Sends a command; resolves when the thread has obeyed it, has ended, or cannot be reached for now. */
  send(command: Unsent): Promise<void> {
    const seq = this.post(command);
    return this.#ended ? Promise.resolve() : this.#obeyed(seq);
  }

  /** Sends a command that nobody waits for. Returns its number. */
  post(command: Unsent): number {
    const seq = ++this.#seq;
    if (!this.#ended) this.#channel.postMessage({ ...command, seq });
    return seq;
  }

  /** Resolves when the thread has obeyed all that was sent, as `send` does. */
  settled(): Promise<void> {
    return this.#ended || this.#acked === this.#seq ? Promise.resolve() : this.#obeyed(this.#seq);
  }

  /** Commands wait that were sent since the thread was last heard of; false for one that does not answer. */
  get isBehind(): boolean {
    return !this.#ended && this.#answers && this.#acked < this.#seq;
  }

  /** The thread has ended: nobody needs to wait for it any more. */
  end(): void {
    this.#ended = true;
    this.#channel.close();
    for (const { done } of this.#waiting.splice(0)) done();
  }

  #receive(event: ThreadEvent): void {
    if (event.type === 'ack') {
      const { seq } = event;
      this.#acked = seq;
      this.#answers = true;
      const obeyed = this.#waiting.filter((one) => one.seq <= seq);
      this.#waiting = this.#waiting.filter((one) => one.seq > seq);
      for (const { done } of obeyed) done();
    }
    this.#options.onEvent(event);
  }

  async #obeyed(seq: number): Promise<void> {
    const obeyed = new Promise<void>((done) => this.#waiting.push({ seq, done }));
    if (await within(obeyed, COURTESY)) return;
    this.#options.interrupt(obeyed);
    this.#answers = await within(obeyed, PATIENCE);
  }
}

/** Whether the promise resolves within so many milliseconds. */
function within(promise: Promise<void>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, false);
    promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
