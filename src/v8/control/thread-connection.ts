import { BroadcastChannel } from 'node:worker_threads';
import { deferred } from '../../base/deferred.js';
import { TraceError } from '../../base/errno.js';
import { describeWait, type ThreadState, threadState, waitOf } from '../../base/thread-state.js';
import type { TracedThread } from '../../port/port.js';
import type { BreakpointText } from '../breakpoints/breakpoint-text.js';
import { holds } from '../breakpoints/probed-text.js';
import { commOfThread } from '../shared/comm-of-thread.js';
import {
  type Chore,
  type ChoreSlice,
  channelName,
  type Disobeyed,
  type NextSlice,
  type ThreadCommand,
  type ThreadEvent,
} from '../shared/protocol.js';

type Unsent = ThreadCommand extends infer Command ? (Command extends ThreadCommand ? Omit<Command, 'seq'> : never) : never;

/**
 * Milliseconds from a slice of patches to the next. Not at once: an answer that comes while the thread still runs what it does
 * after each message would be received in the same turn of its loop.
 */
const BETWEEN_SLICES = 1;
/** Milliseconds from one slice of a chore to the next: the program may be busy. */
const BETWEEN_CHORES: Readonly<Record<Chore, number>> = { store: 50, renew: 5 };
/** How long a thread has to obey by itself, or to patch one more slice, before it is interrupted, in milliseconds. */
const COURTESY = 10;
/**
 * How long to wait for a thread that sleeps, in milliseconds: it is blocked outside of JavaScript (a synchronous child process,
 * native code) and obeys when it runs again.
 */
const PATIENCE = 900;
/** Patience with a thread that is known to be blocked, and for one that runs: it may have to wait for a core. */
const PATIENCE_KNOWN = 100;
const PATIENCE_RUNNING = 10_000;
/** The interval between checks of its state. A thread that a message has just woken does not sleep, so two checks are needed. */
const LOOK = 100;

interface Waiting {
  readonly seq: number;
  readonly done: () => void;
  /** Why a command that it waits for was not obeyed. */
  refused?: TraceError;
}

/** The thread of a connection, and its listeners. */
export interface ConnectionOptions {
  readonly nonce: string;
  readonly cpu: number;
  /** The thread's id at the operating system: pid of its records. */
  readonly tid: number;
  /** The id of the thread that started it. */
  readonly parent: number;
  readonly onEvent: (event: ThreadEvent) => void;
  /** Makes a busy thread obey; goes on until the promise resolves. */
  readonly interrupt: (obeyed: Promise<void>) => void;
  /** The thread does not obey any more, because the system has no such thread. */
  readonly gone?: () => void;
  /** Whether threads run that do a part of the work of others: V8’s own. A thread that waits for a lock may wait for them. */
  readonly isHelped?: () => boolean;
  /** The thread's state in the system; by default from /proc. */
  readonly state?: () => ThreadState | undefined;
}

/** The control thread's end of the channel with one program thread. */
export class ThreadConnection implements TracedThread {
  readonly cpu: number;
  readonly tid: number;
  readonly parent: number;
  readonly comm: string;
  /** Cells belong to a thread. */
  readonly sites = this;
  readonly #options: ConnectionOptions;
  readonly #channel: BroadcastChannel;
  readonly #breakpointTexts = new Map<number, BreakpointText>();
  #seq = 0;
  #acked = 0;
  #answers = true;
  /** The last slice of patches that the thread reported. */
  #slice = 0;
  #waiting: Waiting[] = [];
  /** Why a command was not obeyed that nobody has waited for. */
  #refused: TraceError | undefined;
  #ended = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.cpu = options.cpu;
    this.tid = options.tid;
    this.parent = options.parent;
    this.comm = commOfThread(options.tid);
    this.#channel = new BroadcastChannel(channelName(options.nonce, options.cpu));
    this.#channel.onmessage = (event) => {
      const { data } = event as { data: ThreadEvent | null };
      // What Node 26 delivers for a message that a worker was sending when it was ended.
      if (data !== null) this.#receive(data);
      else this.#askAgain();
    };
    this.#channel.onmessageerror = () => this.#askAgain();
  }

  /**
   * Sends a command; resolves when the thread has obeyed it, has ended, or cannot be reached for now.
   * @throws TraceError when it could not obey
   */
  async send(command: Unsent): Promise<void> {
    const seq = this.post(command);
    if (!this.#ended) await this.#obeyed(seq);
  }

  /** Sends a command, and interrupts the thread for it at once. */
  interrupt(command: Unsent): void {
    const seq = this.post(command);
    if (!this.#ended) this.#options.interrupt(new Promise((done) => this.#waiting.push({ seq, done })));
  }

  /**
   * The thread has had a script of this text since before fentry came: it must know where, before breakpoints are put into it.
   * False when it had another script of the same text already.
   */
  addBreakpointText(text: BreakpointText): boolean {
    const known = this.#breakpointTexts.get(text.firstFunction);
    const scriptIds = [...(known?.scriptIds ?? []), ...text.scriptIds];
    this.#breakpointTexts.set(text.firstFunction, { ...text, scriptIds });
    if (known === undefined) this.post({ type: 'loaded text', file: text.file, base: text.base });
    return known === undefined;
  }

  /** Sends a command without waiting for it. Returns its number. */
  post(command: Unsent): number {
    const text = this.#textFor(command);
    if (text !== undefined) this.post({ type: 'breakpoint text', text });
    const seq = ++this.#seq;
    if (!this.#ended) this.#channel.postMessage({ ...command, seq });
    return seq;
  }

  /** The text without sites whose functions a command is about. */
  #textFor(command: Unsent): BreakpointText | undefined {
    if (command.type === 'functions') return this.#breakpointTexts.get(command.functions.firstFunction);
    if ((command.type !== 'places' && command.type !== 'text') || this.#breakpointTexts.size === 0) return undefined;
    return [...this.#breakpointTexts.values()].find((text) => holds(text, command.probed));
  }

  /**
   * Resolves when the thread has obeyed all that was sent, or has ended; or, after a second at most unless it runs, to what
   * keeps it from obeying: words that follow "the thread". It obeys when that is over.
   * @throws TraceError when it could not obey one of the commands: EIO if that is a bug in here
   */
  async settled(): Promise<string | undefined> {
    if (this.#ended) return undefined;
    if (this.#acked !== this.#seq) return this.#obeyed(this.#seq);
    this.#throwRefused();
    return undefined;
  }

  /** Whether commands wait that were sent since the thread last answered; false for a thread that does not answer. */
  get isBehind(): boolean {
    return !this.#ended && this.#answers && this.#acked < this.#seq;
  }

  /** Nothing waits that was sent. */
  get hasObeyed(): boolean {
    return this.#ended || this.#acked === this.#seq;
  }

  /** The thread has ended: waiting for it ends. */
  end(): void {
    this.#ended = true;
    this.#channel.close();
    for (const { done } of this.#waiting.splice(0)) done();
  }

  /** The thread does a slice of a chore, at a turn of its event loop. */
  chore(chore: Chore): void {
    if (!this.#ended) this.#channel.postMessage({ type: 'chore', chore } satisfies ChoreSlice);
  }

  #receive(event: ThreadEvent): void {
    if (event.type === 'ack') {
      const { seq } = event;
      this.#acked = seq;
      this.#answers = true;
      if (event.disobeyed !== undefined) this.#disobeyed(seq, event.disobeyed);
      const obeyed = this.#waiting.filter((one) => one.seq <= seq);
      this.#waiting = this.#waiting.filter((one) => one.seq > seq);
      for (const { done } of obeyed) done();
    }
    if (event.type === 'slice') {
      this.#answers = true;
      this.#slice = event.slice;
      setTimeout(() => this.#nextSlice(event.slice), BETWEEN_SLICES);
    }
    if (event.type === 'chore left') setTimeout(() => this.chore(event.chore), BETWEEN_CHORES[event.chore]);
    if (event.type === 'unread') this.#askAgain();
    this.#options.onEvent(event);
  }

  /** A message of either side was lost. From a later command the thread knows which, and its answer counts for those before. */
  #askAgain(): void {
    if (!this.hasObeyed) this.post({ type: 'hello' });
  }

  /** Tells those who wait for the command, and for none after it: it is theirs. Else whoever waits next. */
  #disobeyed(seq: number, { command, errno, message }: Disobeyed): void {
    const refused = new TraceError(errno, `cpu ${this.cpu} (thread ${this.tid}) did not obey (${command}): ${message}`);
    const first = Math.min(...this.#waiting.map((one) => one.seq).filter((one) => one >= seq));
    const theirs = this.#waiting.filter((one) => one.seq === first);
    for (const one of theirs) one.refused ??= refused;
    if (theirs.length === 0) this.#refused ??= refused;
  }

  #throwRefused(): void {
    const refused = this.#refused;
    this.#refused = undefined;
    if (refused !== undefined) throw refused;
  }

  #nextSlice(slice: number): void {
    if (!this.#ended) this.#channel.postMessage({ type: 'next slice', slice } satisfies NextSlice);
  }

  async #obeyed(seq: number): Promise<string | undefined> {
    const { promise: obeyed, resolve: done } = deferred();
    const waiting: Waiting = { seq, done };
    this.#waiting.push(waiting);
    const blocked = await this.#keptFrom(seq, obeyed);
    if (blocked !== undefined) return blocked;
    if (waiting.refused !== undefined) throw waiting.refused;
    this.#throwRefused();
    return undefined;
  }

  /** What keeps the thread from obeying, once it has had time enough. */
  async #keptFrom(seq: number, obeyed: Promise<void>): Promise<string | undefined> {
    if (await this.#within(obeyed, COURTESY)) return undefined;
    this.#options.interrupt(obeyed);
    if (await this.#within(obeyed, this.#answers ? PATIENCE : PATIENCE_KNOWN)) return undefined;
    const blocked = await this.#blockedBy(obeyed);
    this.#answers = blocked === undefined && this.#acked >= seq;
    return blocked;
  }

  /** Whether the promise resolves in so many milliseconds; each slice of patches that the thread makes extends the time. */
  async #within(promise: Promise<void>, milliseconds: number): Promise<boolean> {
    for (;;) {
      const slice = this.#slice;
      if (await within(promise, milliseconds)) return true;
      if (slice === this.#slice) return false;
    }
  }

  /** What the thread waits for; undefined if it has obeyed after all, or is gone. */
  async #blockedBy(obeyed: Promise<void>): Promise<string | undefined> {
    const { tid, state = () => threadState('self', tid), isHelped = () => false } = this.#options;
    const deadline = performance.now() + PATIENCE_RUNNING;
    let looks = 0;
    let slice = this.#slice;
    let before: ThreadState | undefined;
    for (;;) {
      const now = state();
      // Between two slices it sleeps, too.
      const isAtWork =
        slice !== this.#slice || (now && (now.state === 'R' || (waitsForLock(now) && (hasRun(before, now) || isHelped()))));
      looks = isAtWork ? 0 : looks + 1;
      slice = this.#slice;
      before = now;
      if (now === undefined || now.state === 'Z') {
        // A thread that was terminated does not say so. Whoever waited for it need not be told of it.
        this.#options.gone?.();
        return undefined;
      }
      if (looks === 2 || performance.now() > deadline) return describeWait(now);
      if (await within(obeyed, LOOK)) return undefined;
    }
  }
}

const waitsForLock = (state: ThreadState): boolean => waitOf(state) === 'futex';

/** Whether a thread has run since it was looked at before. */
const hasRun = (before: ThreadState | undefined, now: ThreadState): boolean => before !== undefined && before.turns !== now.turns;

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
