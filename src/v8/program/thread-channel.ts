import { BroadcastChannel, receiveMessageOnPort } from 'node:worker_threads';
import { AtomicsAdd, AtomicsLoad, AtomicsStore } from '../../base/primordials.js';
import { Queue } from '../../base/queue.js';
import type { LinkEvent } from '../loader/link-event.js';
import { type ControlBlock, millisecondsNow, needControl, THREAD_WORD, threadWord, WORD } from '../shared/control-block.js';
import { channelName, hallName, type ProcessShare, type ThreadEvent, type ThreadMessage } from '../shared/protocol.js';
import { TextLog } from '../shared/text-log.js';
import { listen } from './thread-messages.js';
import { waitForControl } from './wait-for-control.js';

/** What is told when the control thread runs anyway: it is not started for these. */
const WAITING: readonly ThreadEvent['type'][] = ['end', 'event declared', 'tracepoint declared'];

/** What the channel of a thread is made with. */
export interface ThreadChannelOptions {
  readonly share: ProcessShare;
  readonly cpu: number;
  /** There is something for the control thread, which may not run yet; `mayWait`: it is only a text that can be traced. */
  readonly needControl: (mayWait: boolean) => void;
  /** The thread's TextLog, if the control thread is started with it. */
  readonly log?: SharedArrayBuffer | undefined;
}

/** What is called when messages come. */
export interface Receiver {
  /** Called with a message in a turn of the event loop of its own. */
  readonly receive: (message: ThreadMessage) => void;
  /** A message could not be read. */
  readonly unread: () => void;
}

/** What a program's thread sends to the control thread, and how it gets what that sends. */
export class ThreadChannel {
  readonly #options: ThreadChannelOptions;
  readonly #block: ControlBlock;
  readonly #receiver: Receiver;
  #channel: BroadcastChannel | undefined;
  readonly #pending = new Queue<ThreadEvent>();
  #textLog: TextLog | undefined;
  /** Announced before this thread listens. */
  readonly #unread = new Queue<LinkEvent>();

  constructor(options: ThreadChannelOptions, block: ControlBlock, receiver: Receiver) {
    this.#options = options;
    this.#block = block;
    this.#receiver = receiver;
    this.#textLog = options.log && new TextLog(options.log);
  }

  /** Listens to the control thread. Not before there is one, because Node's channels take milliseconds to load. */
  open(): void {
    if (this.#channel !== undefined) return;
    const { share, cpu } = this.#options;
    this.#channel = new BroadcastChannel(channelName(share.nonce, cpu));
    listen<ThreadMessage>(this.#channel, this.#receiver.receive, this.#receiver.unread);
    this.#channel.unref();
    AtomicsStore(this.#block, this.word(THREAD_WORD.LISTENING), 1);
    const hall = new BroadcastChannel(hallName(share.nonce));
    hall.postMessage(cpu);
    hall.close();
    for (let link = this.#unread.take(); link !== undefined; link = this.#unread.take()) this.#log(link);
  }

  close(): void {
    this.#channel?.close();
  }

  /** Whether the process stays alive for what comes. */
  keepAlive(isAwaited: boolean): void {
    if (isAwaited) this.#channel?.ref();
    else this.#channel?.unref();
  }

  /** The next message that is there, without the event loop. */
  take(): ThreadMessage | undefined {
    if (this.#channel === undefined) return undefined;
    try {
      const received = receiveMessageOnPort(this.#channel as never) as { message: ThreadMessage | null } | undefined;
      if (received?.message !== null) return received?.message;
    } catch {
      // V8 cannot read it.
    }
    this.#receiver.unread();
    return undefined;
  }

  /** Sends an event, or keeps it until the control thread listens. */
  tell(event: ThreadEvent): void {
    const isUrgent = !WAITING.includes(event.type);
    if (isUrgent) needControl(this.#block);
    this.#pending.put(event);
    this.#deliver();
    if (isUrgent) this.#options.needControl(false);
  }

  flush(): void {
    if (this.#channel === undefined) return;
    while (!this.#pending.isEmpty) this.#channel.postMessage(this.#pending.take());
  }

  /** Sends what waits, if the control thread is connected. */
  #deliver(): boolean {
    const isConnected = AtomicsLoad(this.#block, this.word(THREAD_WORD.CONNECTED)) !== 0;
    if (isConnected) this.flush();
    return isConnected;
  }

  /** Waits until the control thread listens, without the event loop; returns false if that takes too long. */
  reach(): boolean {
    const connected = waitForControl(this.#block, this.word(THREAD_WORD.CONNECTED), 1);
    this.flush();
    return connected;
  }

  /** Announces a text in which nothing can be patched. Returns how many were announced. */
  announce(link: LinkEvent): number {
    AtomicsStore(this.#block, this.word(THREAD_WORD.LOADED_AT), millisecondsNow());
    const sent = AtomicsAdd(this.#block, this.word(THREAD_WORD.LINKS_SENT), 1) + 1;
    if (this.#channel === undefined) {
      this.#unread.put(link);
      this.#options.needControl(true);
    } else this.#log(link);
    return sent;
  }

  #log(link: LinkEvent): void {
    if (!this.#ownLog().put(link)) this.tell({ type: 'link', link });
    // While nothing is traced the control thread reads the log when it is asked for functions.
    else if (AtomicsLoad(this.#block, WORD.LINK_WAITS) !== 0) this.tell({ type: 'texts' });
    else if (!this.#deliver()) this.#options.needControl(true);
  }

  #ownLog(): TextLog {
    if (this.#textLog !== undefined) return this.#textLog;
    const memory = TextLog.create();
    this.tell({ type: 'texts', memory });
    this.#textLog = new TextLog(memory);
    return this.#textLog;
  }

  /** The place of a word of this thread in the control block. */
  word(word: number): number {
    return threadWord(this.#options.cpu, word);
  }
}
