import { BroadcastChannel, receiveMessageOnPort } from 'node:worker_threads';
import { TraceError } from '../../base/errno.js';
import { Queue } from '../../base/queue.js';
import { countShared } from '../../base/shared-memory.js';
import { writeSync } from '../../base/untraced-fs.js';
import { writeFully } from '../../base/write-fully.js';
import type { FoundKprobe } from '../../ftrace/kprobes/kprobe-planner.js';
import type { LivepatchState } from '../../ftrace/tracers/diversions.js';
import type { RecordWriter } from '../../ftrace/tracers/record-writer.js';
import type { EventDeclared } from '../../port/port.js';
import { traceClock } from '../../ring-buffer/clock.js';
import { InstanceSwitch } from '../../ring-buffer/instance-switch.js';
import { asyncContexts } from '../async/thread-contexts.js';
import type { ProbeBreakpoints } from '../breakpoints/probe-breakpoints.js';
import type { LinkEvent } from '../loader/link-event.js';
import type { Texts } from '../realm/texts.js';
import {
  CONTROL_STATE,
  type ControlBlock,
  clockCounter,
  EVALUATION,
  millisecondsNow,
  needControl,
  THREAD_WORD,
  threadWord,
  WORD,
} from '../shared/control-block.js';
import {
  channelName,
  hallName,
  type ProcessShare,
  type ThreadCommand,
  type ThreadEvent,
  type ThreadMessage,
} from '../shared/protocol.js';
import { TextLog } from '../shared/text-log.js';
import type { TracerRuntime } from '../tracers/runtime.js';
import type { AsyncTasks, SwitchTask } from './async-tasks.js';
import type { AttachedCells } from './attached-cells.js';
import type { GapSampler } from './gap-sampler.js';
import { PatchSlices } from './patch-slices.js';
import { CommandQueue, listen } from './thread-messages.js';
import { clearStack, interruptedOwnCode } from './thread-stack.js';
import { ThreadTasks } from './thread-tasks.js';
import type { ThreadWriters } from './thread-writers.js';
import { isWaitingForControl, waitForControl } from './wait-for-control.js';

const STDERR = 2;

/** Writes the line of a record to stderr. If that is closed or full, the line is lost. */
function printLine(text: Uint8Array): void {
  try {
    writeFully(STDERR, text, writeSync);
  } catch {
    // The program shall not notice.
  }
}

/** Obeys; returns false if that is not possible now and the command must be tried again. */
type Handlers = {
  readonly [Type in ThreadCommand['type']]: (thread: ProgramThread, command: Extract<ThreadCommand, { type: Type }>) => unknown;
};

const HANDLERS: Handlers = {
  hello: (thread) => thread.flush(),
  buffer: ({ writers }, { instance, buffer, words }) => writers.setBuffer(instance, buffer, words),
  spare: ({ writers }, { instance, buffer }) => writers.ringBuffer(instance)?.setSpare(buffer && countShared(buffer)),
  snapshot: ({ writers }, { instance }) => writers.ringBuffer(instance)?.takeSnapshot(),
  resize: ({ writers }, { instance, half, buffer }) => writers.ringBuffer(instance)?.moveTo(countShared(buffer), half),
  clock: ({ writers }, { instance, clock }) => writers.setClock(instance, clock),
  functions: ({ runtime }, { functions }) => runtime.link(functions),
  tracer({ runtime, sampler }, { config }) {
    sampler.startsTracer(config.tracer);
    runtime.setTracer(config);
  },
  instanceTracer: ({ runtime }, { instance, ops, config }) => runtime.setInstanceTracer(instance, ops, config),
  removeInstance({ writers, runtime }, { instance }) {
    writers.remove(instance);
    runtime.removeInstance(instance);
  },
  service: ({ runtime }, { kind, config }) => runtime.setService(kind, config),
  event: ({ runtime }, command) => runtime.events.configure(command),
  script: ({ runtime }, command) => runtime.events.setScript(command),
  sample: ({ sampler }, request) => sampler.sample(request),
  'text size': ({ runtime }, { characters }) => runtime.setTextSize(characters),
  look: ({ runtime }, { since }) => runtime.lookAtLatency(since),
  patch: ({ runtime }, { patches }) => runtime.applyPatches(patches),
  'breakpoint text'(thread, { text }) {
    thread.attachedCells?.describe(text);
    thread.breakpoints.describe(text);
  },
  source: (thread, { scriptId }) =>
    thread.tell({ type: 'source', scriptId, source: thread.attachedCells?.source(scriptId) ?? '' }),
  places: (thread, { call, probed, ranges, parts }) =>
    thread.tell({ type: 'places', call, places: thread.breakpoints.places(probed, ranges, parts) }),
  text: (thread, { call, probed }) => thread.tell({ type: 'text', call, text: thread.breakpoints.text(probed) }),
  print: (_thread, { text }) => printLine(text),
  kprobe: ({ foundKprobes }, { id, found }) => void foundKprobes.set(id, found),
  'livepatch state': (thread, { id, state }) => thread.onLivepatchState(id, state),
  'halt kprobes': (thread, { isHalted }) => thread.onKprobesHalted(isHalted),
  native: ({ runtime, writers }, { file, ...calls }) => writers.joinNative(runtime.joinNative(file, calls)),
  'clear stack': clearStack,
  detach: (thread) => thread.detach(),
  tasks: ({ tasks }, { memory }) => tasks.follow(memory),
  taskPids: ({ tasks }, { slot, lists }) => tasks.setPids(slot, lists),
  askTasks: (thread, { slots }) => thread.tell({ type: 'tasks', lists: thread.tasks.listed(slots) }),
  answer: (thread, { call, error }) => thread.answered(call, error && new TraceError(error.errno, error.message)),
};

/** What is told when the control thread runs anyway: it is not started for these. */
const WAITING: readonly ThreadEvent['type'][] = ['end', 'event declared', 'tracepoint declared'];

/** How long storing may take in one turn of the event loop, in nanoseconds; a text that is begun is stored. */
const STORING = 3e6;

const isCommand = (message: ThreadMessage): message is ThreadCommand =>
  message.type !== 'next slice' && message.type !== 'store some';

const controlEnded = (): TraceError => new TraceError('ENODEV', 'the control thread has ended');

/** Creates what a thread needs only when something is traced: the code is loaded then. */
export interface TracingParts {
  runtime(): TracerRuntime;
  /** @param counter the trace clock `counter` */
  writers(counter: BigInt64Array, set: (writer: RecordWriter, instance: number) => void): ThreadWriters;
  tasks(memory: SharedArrayBuffer, switchTask: SwitchTask): AsyncTasks;
  sampler(writer: () => RecordWriter | undefined): GapSampler;
  /** What reaches the middle of functions. */
  breakpoints(): ProbeBreakpoints;
}

/** What the agent of a thread is made with. */
export interface ProgramThreadOptions {
  readonly share: ProcessShare;
  readonly cpu: number;
  /** The thread's id at the operating system. */
  readonly tid: number;
  readonly tracing: TracingParts;
  /** There is something for the control thread, which may not run yet; `mayWait`: it is only a text that can be traced. */
  readonly needControl: (mayWait: boolean) => void;
  /** What reaches the functions that an attached agent has found. */
  readonly attachedCells?: AttachedCells | undefined;
  /** The thread's TextLog, if the control thread is started with it. */
  readonly log?: SharedArrayBuffer | undefined;
  /** Tells fentry's own files from the program's. */
  readonly texts: Pick<Texts, 'isOwn'>;
}

/** The agent in a program's thread: announces texts to the control thread, and obeys its commands. */
export class ProgramThread {
  readonly tasks: ThreadTasks;
  /** The places of probes that the program has asked for. */
  readonly foundKprobes = new Map<number, FoundKprobe>();
  /** Called with the state of a live patch that the program has asked for. */
  onLivepatchState: (id: number, state: LivepatchState) => void = () => {};
  /** Called when kprobes/enabled is written. */
  onKprobesHalted: (isHalted: boolean) => void = () => {};
  /** Stores a part of what the program's next start needs; returns whether there is more. */
  storeSome: (isOver: () => boolean) => boolean = () => false;
  readonly #options: ProgramThreadOptions;
  readonly #block: ControlBlock;
  #channel: BroadcastChannel | undefined;
  readonly #pending = new Queue<ThreadEvent>();
  readonly #commands = new CommandQueue();
  readonly #slices: PatchSlices;
  /** The first of the commands was begun, but not all of its patches are done. */
  #isBegun = false;
  readonly #calls = new Map<number, (error?: TraceError) => void>();
  #lastCall = 0;
  #textLog: TextLog | undefined;
  /** Announced before this thread listens. */
  readonly #unread = new Queue<LinkEvent>();
  #writers: ThreadWriters | undefined;
  #breakpoints: ProbeBreakpoints | undefined;
  #runtime: TracerRuntime | undefined;
  #sampler: GapSampler | undefined;
  #obeying = false;
  #isDetached = false;
  #onDetach: () => void = () => {};

  constructor(options: ProgramThreadOptions) {
    this.#options = options;
    const { share, log } = options;
    this.#textLog = log && new TextLog(log);
    this.#block = new Int32Array(share.block);
    this.#slices = new PatchSlices(this.#block, traceClock);
    this.tasks = new ThreadTasks(
      (memory) => options.tracing.tasks(memory, (pid, ignored) => this.runtime.switchTask(pid, ignored)),
      () => this.runtime.switchTask(undefined, 0),
    );
  }

  /** Listens to the control thread. Not before there is one, because Node's channels take milliseconds to load. */
  open(): void {
    if (this.#channel !== undefined || this.#isDetached) return;
    const { share, cpu } = this.#options;
    this.#channel = new BroadcastChannel(channelName(share.nonce, cpu));
    listen<ThreadMessage>(this.#channel, (message) => this.#receive(message));
    this.#channel.unref();
    Atomics.store(this.#block, this.#word(THREAD_WORD.LISTENING), 1);
    const hall = new BroadcastChannel(hallName(share.nonce));
    hall.postMessage(cpu);
    hall.close();
    for (let link = this.#unread.take(); link !== undefined; link = this.#unread.take()) this.#log(link);
  }

  /** Whether the time for patching in this turn is over. */
  get isSliceOver(): boolean {
    return this.#slices.isOver;
  }

  get attachedCells(): AttachedCells | undefined {
    return this.#options.attachedCells;
  }

  get breakpoints(): ProbeBreakpoints {
    this.#breakpoints ??= this.#options.tracing.breakpoints();
    return this.#breakpoints;
  }

  get writers(): ThreadWriters {
    this.#writers ??= this.#options.tracing.writers(clockCounter(this.#options.share.block), (writer, instance) =>
      this.runtime.setWriter(writer, instance),
    );
    return this.#writers;
  }

  /** The writer of the top level, if the thread has its buffer. */
  get writer(): RecordWriter | undefined {
    return this.#writers?.get();
  }

  get runtime(): TracerRuntime {
    this.#runtime ??= this.#options.tracing.runtime();
    return this.#runtime;
  }

  /** Samples for the hwlat tracer. */
  get sampler(): GapSampler {
    this.#sampler ??= this.#options.tracing.sampler(() => this.writer);
    return this.#sampler;
  }

  get block(): ControlBlock {
    return this.#block;
  }

  get cpu(): number {
    return this.#options.cpu;
  }

  /** What the writers of the top level look at, whether there are any yet or not. */
  get topSwitch(): InstanceSwitch {
    return new InstanceSwitch(this.#options.share.topSwitch);
  }

  /** Sends an event, or keeps it until the control thread listens. */
  tell(event: ThreadEvent): void {
    const isUrgent = !WAITING.includes(event.type);
    if (isUrgent) needControl(this.#block);
    this.#pending.put(event);
    this.#deliver();
    if (isUrgent) this.#options.needControl(false);
  }

  /**
   * Tells of an event that was declared. If something is asked of events that come, this returns when it holds.
   * @param isWanted something is asked of it
   */
  declared(event: EventDeclared, isWanted = false): void {
    const sent = Atomics.add(this.#block, this.#word(THREAD_WORD.DECLARED_SENT), 1) + 1;
    this.tell({ type: 'event declared', event });
    const mustWait = isWanted || Atomics.load(this.#block, WORD.DECLARED_WAITS) !== 0;
    if (!mustWait || this.#obeying || this.#isDetached) return;
    const done = this.reach() && waitForControl(this.#block, this.#word(THREAD_WORD.DECLARED_DONE), sent);
    if (!done) Atomics.store(this.#block, WORD.DECLARED_WAITS, 0);
    this.#drain();
  }

  /** Has a record printed on stderr, and returns when it is (output_printk). */
  printk(record: Uint8Array, ts: number): void {
    const sent = Atomics.add(this.#block, this.#word(THREAD_WORD.PRINTS_SENT), 1) + 1;
    this.tell({ type: 'printk', record, ts });
    if (this.#obeying || this.#isDetached) return;
    if (this.reach() && waitForControl(this.#block, this.#word(THREAD_WORD.PRINTS_DONE), sent)) this.#drain();
  }

  /**
   * If something is asked of events, this returns when they are on: the program's first text may have no function to wait for.
   */
  obeyAtStart(): void {
    if (Atomics.load(this.#block, WORD.DECLARED_WAITS) !== 0 && this.reach()) this.#drain();
  }

  /** Calls `run` when the agent is detached. */
  onDetach(run: () => void): void {
    this.#onDetach = run;
  }

  detach(): void {
    this.tasks.follow(undefined);
    this.#runtime?.events.end();
    this.#breakpoints?.end();
    this.#onDetach();
    // The answer to this command is the last message to the control thread.
    this.#isDetached = true;
  }

  /** The control thread has ended: nothing is recorded any more, and requests get no answer. */
  lost(): void {
    this.topSwitch.setOff('tracingOn', true);
    this.#runtime?.disarm();
    for (const call of this.#calls.keys()) this.answered(call, controlEnded());
  }

  flush(): void {
    if (this.#channel === undefined) return;
    while (!this.#pending.isEmpty) this.#channel.postMessage(this.#pending.take());
  }

  /** Asks something of the control thread. The process stays alive until the answer is there. */
  call(event: (call: number) => ThreadEvent): Promise<void> {
    if (Atomics.load(this.#block, WORD.CONTROL) === CONTROL_STATE.ENDED) return Promise.reject(controlEnded());
    const call = ++this.#lastCall;
    this.open();
    this.#channel?.ref();
    return new Promise((resolve, reject) => {
      this.#calls.set(call, (error) => (error === undefined ? resolve() : reject(error)));
      this.tell(event(call));
    });
  }

  answered(call: number, error?: TraceError): void {
    this.#calls.get(call)?.(error);
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#channel?.unref();
  }

  /** Announces a text in which nothing can be patched. Returns how many were announced. */
  announce(link: LinkEvent): number {
    Atomics.store(this.#block, this.#word(THREAD_WORD.LOADED_AT), millisecondsNow());
    const sent = Atomics.add(this.#block, this.#word(THREAD_WORD.LINKS_SENT), 1) + 1;
    if (this.#channel === undefined) {
      this.#unread.put(link);
      this.#options.needControl(true);
    } else this.#log(link);
    return sent;
  }

  #log(link: LinkEvent): void {
    if (!this.#ownLog().put(link)) this.tell({ type: 'link', link });
    // While nothing is traced the control thread reads the log when it is asked for functions.
    else if (Atomics.load(this.#block, WORD.LINK_WAITS) !== 0) this.tell({ type: 'texts' });
    else if (!this.#deliver()) this.#options.needControl(true);
  }

  /** Announces a text. While anything is traced this returns after its functions were patched. */
  link(link: LinkEvent): void {
    const sent = this.announce(link);
    if (Atomics.load(this.#block, WORD.LINK_WAITS) !== 0) this.#waitForLinks(sent);
  }

  /** Obeys what is waiting; called by the control thread through the inspector while this thread is busy. */
  interrupt(): void {
    try {
      if (!this.#isInOwnCode() || this.#runtime?.obeyAtNextCall(() => this.#obeyNow()) !== true) this.#obeyNow();
    } finally {
      Atomics.compareExchange(this.#block, this.#word(THREAD_WORD.EVALUATION), EVALUATION.ASKED, EVALUATION.RAN);
    }
  }

  /** Whether fentry's own code runs and does not wait. */
  #isInOwnCode(): boolean {
    return !isWaitingForControl() && interruptedOwnCode(this.#options.texts);
  }

  #obeyNow(): void {
    if (this.#obeying) return;
    this.#quietly(() => {
      this.flush();
      this.#slices.interrupted();
      this.#drain();
    });
  }

  #quietly(run: () => void): void {
    if (this.#runtime === undefined) run();
    else this.#runtime.quietly(run);
  }

  #ownLog(): TextLog {
    if (this.#textLog !== undefined) return this.#textLog;
    const memory = TextLog.create();
    this.tell({ type: 'texts', memory });
    this.#textLog = new TextLog(memory);
    return this.#textLog;
  }

  /** Sends what waits, if the control thread is connected. */
  #deliver(): boolean {
    const isConnected = Atomics.load(this.#block, this.#word(THREAD_WORD.CONNECTED)) !== 0;
    if (isConnected) this.flush();
    return isConnected;
  }

  #word(word: number): number {
    return threadWord(this.#options.cpu, word);
  }

  /** Waits until the control thread listens, without the event loop; returns false if that takes too long. */
  reach(): boolean {
    const connected = waitForControl(this.#block, this.#word(THREAD_WORD.CONNECTED), 1);
    this.flush();
    return connected;
  }

  #waitForLinks(sent: number): void {
    const done = this.reach() && waitForControl(this.#block, this.#word(THREAD_WORD.LINKS_DONE), sent);
    // If the control thread has ended, later texts must not wait again.
    if (!done) Atomics.store(this.#block, WORD.LINK_WAITS, 0);
    // The text must not run before its patches are made, and those before them are.
    this.#slices.allAtOnce();
    this.#drain();
  }

  #drain(): void {
    while (this.#channel !== undefined) {
      const received = receiveMessageOnPort(this.#channel as never) as { message: ThreadMessage } | undefined;
      if (received === undefined) break;
      if (isCommand(received.message)) this.#commands.put(received.message);
    }
    this.#catchUp();
  }

  #receive(message: ThreadMessage): void {
    asyncContexts.hideCurrent();
    this.#quietly(() => this.#handle(message));
    // This turn was begun by a message of fentry.
    this.#runtime?.discardLatency();
  }

  #handle(message: ThreadMessage): void {
    if (message.type === 'store some') this.#storeSome();
    else {
      if (isCommand(message)) this.#commands.put(message);
      if (this.#slices.mayGoOn(message)) this.#catchUp();
    }
  }

  #storeSome(): void {
    const end = traceClock() + STORING;
    try {
      if (!this.#isDetached && this.storeSome(() => traceClock() >= end)) this.tell({ type: 'unstored' });
    } catch {
      // The program may have broken what this needs; its next start is slower.
    }
  }

  #catchUp(): void {
    if (this.#obeying) return;
    this.#obeying = true;
    try {
      for (;;) {
        const command = this.#commands.next;
        if (this.#isDetached || command === undefined || !this.#obey(command)) break;
        this.#commands.take();
      }
    } finally {
      this.#obeying = false;
      if (this.#isDetached) this.#channel?.close();
    }
  }

  /** A bug in here must not end the program: it is reported to the control thread. */
  #obey(command: ThreadCommand): boolean {
    try {
      if (!this.#isBegun && HANDLERS[command.type](this, command as never) === false) return false;
      this.#isBegun = true;
      if (this.#runtime?.proceed() === false) {
        this.tell({ type: 'slice', slice: this.#slices.end() });
        return false;
      }
      this.tell({ type: 'ack', seq: command.seq });
    } catch (error) {
      this.tell({ type: 'ack', seq: command.seq, error: String((error as Error)?.stack ?? error) });
    }
    this.#isBegun = false;
    this.#slices.done();
    return true;
  }
}
