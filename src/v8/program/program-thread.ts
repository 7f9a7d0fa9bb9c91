import { asTraceError, TraceError } from '../../base/errno.js';
import { AtomicsAdd, AtomicsLoad, AtomicsOr, AtomicsStore } from '../../base/primordials.js';
import type { FoundKprobe } from '../../ftrace/kprobes/kprobe-planner.js';
import type { LivepatchState } from '../../ftrace/tracers/diversions.js';
import type { RecordWriter } from '../../ftrace/tracers/record-writer.js';
import type { EventDeclared } from '../../port/port.js';
import { setCycleCounter, traceClock } from '../../ring-buffer/clock.js';
import { InstanceSwitch } from '../../ring-buffer/instance-switch.js';
import { asyncContexts } from '../async/thread-contexts.js';
import type { ProbeBreakpoints } from '../breakpoints/probe-breakpoints.js';
import type { LinkEvent } from '../loader/link-event.js';
import { withOwnBuiltIns } from '../realm/own-built-ins.js';
import { SafeMap } from '../realm/primordials.js';
import type { Texts } from '../realm/texts.js';
import type { ThreadCells } from '../realm/thread-cells.js';
import {
  type Asker,
  CONTROL_STATE,
  type ControlBlock,
  clockCounter,
  EVALUATION,
  evaluationBits,
  THREAD_WORD,
  WORD,
} from '../shared/control-block.js';
import type { Chore, Disobeyed, ThreadCommand, ThreadEvent, ThreadMessage } from '../shared/protocol.js';
import type { TurnLook, TurnSample } from '../shared/turn-sample.js';
import type { TracerRuntime } from '../tracers/runtime.js';
import type { AsyncTasks, SwitchTask } from './async-tasks.js';
import type { AttachedCells } from './attached-cells.js';
import type { GapSampler } from './gap-sampler.js';
import { PatchSlices } from './patch-slices.js';
import { ThreadChannel, type ThreadChannelOptions } from './thread-channel.js';
import { obeyCommand } from './thread-commands.js';
import { CommandQueue, type LostCommand } from './thread-messages.js';
import { interruptedOwnCode } from './thread-stack.js';
import { ThreadTasks } from './thread-tasks.js';
import type { ThreadWriters } from './thread-writers.js';
import type { TurnSampler } from './turn-sampler.js';
import { isWaitingForControl, waitForControl } from './wait-for-control.js';

/** How long storing may take in one turn of the event loop, in nanoseconds; a text that is begun is stored. */
const STORING = 3e6;

/** How long renewing cells may take in one turn of the event loop, in nanoseconds. */
const RENEWING = 1e6;
const NEVER = (): boolean => false;

const isCommand = (message: ThreadMessage): message is ThreadCommand => message.type !== 'next slice' && message.type !== 'chore';

/** An error of a command. */
function errnoOf(thrown: unknown): Omit<Disobeyed, 'command'> {
  try {
    const { errno, message } = asTraceError(thrown);
    return { errno, message };
  } catch {
    return { errno: 'EIO', message: 'internal error: the program does not let it be read' };
  }
}

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
  /** What looks at long turns of the event loop. */
  turnSampler(): TurnSampler;
}

/** What the agent of a thread is made with. */
export interface ProgramThreadOptions extends ThreadChannelOptions {
  /** The thread's id at the operating system. */
  readonly tid: number;
  readonly tracing: TracingParts;
  /** What reaches the functions that an attached agent has found. */
  readonly attachedCells?: AttachedCells | undefined;
  /** Tells fentry's own files from the program's. */
  readonly texts: Pick<Texts, 'isOwn'>;
  readonly cells: Pick<ThreadCells, 'mustRenew' | 'renew'>;
}

/** The agent in a program's thread: announces texts to the control thread, and obeys its commands. */
export class ProgramThread {
  readonly tasks: ThreadTasks;
  /** The places of probes that the program has asked for. */
  readonly foundKprobes = new SafeMap<number, FoundKprobe>();
  /** Called with the state of a live patch that the program has asked for. */
  onLivepatchState: (id: number, state: LivepatchState) => void = () => {};
  /** Called when kprobes/enabled is written. */
  onKprobesHalted: (isHalted: boolean) => void = () => {};
  /** Stores a part of what the program's next start needs; returns whether there is more. */
  storeSome: (isOver: () => boolean) => boolean = () => false;
  readonly #options: ProgramThreadOptions;
  readonly #block: ControlBlock;
  readonly #channel: ThreadChannel;
  readonly #commands = new CommandQueue();
  readonly #slices: PatchSlices;
  /** The first of the commands was begun, but not all of its patches are done. */
  #isBegun = false;
  readonly #calls = new SafeMap<number, (error?: TraceError) => void>();
  #lastCall = 0;
  #writers: ThreadWriters | undefined;
  #breakpoints: ProbeBreakpoints | undefined;
  #runtime: TracerRuntime | undefined;
  #sampler: GapSampler | undefined;
  #turns: TurnSampler | undefined;
  #obeying = false;
  /** The control thread was told that there are cells to renew, and has not answered. */
  #isUnrenewed = false;
  #isDetached = false;
  #onDetach: () => void = () => {};

  constructor(options: ProgramThreadOptions) {
    this.#options = options;
    this.#block = new Int32Array(options.share.block);
    this.#channel = new ThreadChannel(options, this.#block, {
      receive: (message) => this.#receive(message),
      unread: () => this.#unread(),
    });
    this.#slices = new PatchSlices(this.#block, traceClock);
    this.tasks = new ThreadTasks(
      (memory) => options.tracing.tasks(memory, (pid, ignored) => this.runtime.switchTask(pid, ignored)),
      () => this.runtime.switchTask(undefined, 0),
    );
  }

  /** Listens to the control thread. Not before there is one, because Node's channels take milliseconds to load. */
  open(): void {
    if (!this.#isDetached) this.#channel.open();
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
    this.#channel.tell(event);
  }

  /**
   * Tells of an event that was declared. If something is asked of events that come, this returns when it holds.
   * @param isWanted something is asked of it
   */
  declared(event: EventDeclared, isWanted = false): void {
    const sent = AtomicsAdd(this.#block, this.#channel.word(THREAD_WORD.DECLARED_SENT), 1) + 1;
    this.tell({ type: 'event declared', event });
    const mustWait = isWanted || AtomicsLoad(this.#block, WORD.DECLARED_WAITS) !== 0;
    if (!mustWait || this.#obeying || this.#isDetached) return;
    const done = this.reach() && waitForControl(this.#block, this.#channel.word(THREAD_WORD.DECLARED_DONE), sent);
    if (!done) AtomicsStore(this.#block, WORD.DECLARED_WAITS, 0);
    this.#drain();
  }

  /** Has a record printed on stderr, and returns when it is (output_printk). */
  printk(record: Uint8Array, ts: number): void {
    const sent = AtomicsAdd(this.#block, this.#channel.word(THREAD_WORD.PRINTS_SENT), 1) + 1;
    this.tell({ type: 'printk', record, ts });
    if (this.#obeying || this.#isDetached) return;
    if (this.reach() && waitForControl(this.#block, this.#channel.word(THREAD_WORD.PRINTS_DONE), sent)) this.#drain();
  }

  /**
   * If something is asked of events, this returns when they are on: the program's first text may have no function to wait for.
   */
  obeyAtStart(): void {
    if (AtomicsLoad(this.#block, WORD.DECLARED_WAITS) !== 0 && this.reach()) this.#drain();
  }

  /** Calls `run` when the agent is detached. */
  onDetach(run: () => void): void {
    this.#onDetach = run;
  }

  detach(): void {
    this.#turns?.end();
    this.tasks.follow(undefined);
    this.#runtime?.events.end();
    this.#breakpoints?.end();
    setCycleCounter(undefined);
    this.#onDetach();
    this.#options.cells.renew(NEVER);
    // The answer to this command is the last message to the control thread.
    this.#isDetached = true;
  }

  /** The control thread has ended: nothing is recorded any more, and requests get no answer. */
  lost(): void {
    this.topSwitch.setOff('tracingOn', true);
    this.#runtime?.disarm();
    this.#options.cells.renew(NEVER);
    for (const call of this.#calls.keys()) this.answered(call, controlEnded());
  }

  flush(): void {
    this.#channel.flush();
  }

  /** Asks something of the control thread. The process stays alive until the answer is there. */
  call(event: (call: number) => ThreadEvent): Promise<void> {
    if (AtomicsLoad(this.#block, WORD.CONTROL) === CONTROL_STATE.ENDED) return Promise.reject(controlEnded());
    const call = ++this.#lastCall;
    this.open();
    this.#channel.keepAlive(true);
    return new Promise((resolve, reject) => {
      this.#calls.set(call, (error) => (error === undefined ? resolve() : reject(error)));
      this.tell(event(call));
    });
  }

  answered(call: number, error?: TraceError): void {
    this.#calls.get(call)?.(error);
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#channel.keepAlive(false);
  }

  /** Announces a text in which nothing can be patched. Returns how many were announced. */
  announce(link: LinkEvent): number {
    return this.#channel.announce(link);
  }

  /** Announces a text. While anything is traced this returns after its functions were patched. */
  link(link: LinkEvent): void {
    const sent = this.announce(link);
    if (AtomicsLoad(this.#block, WORD.LINK_WAITS) !== 0) this.#waitForLinks(sent);
  }

  /** Obeys what is waiting; called by the control thread through the inspector while this thread is busy. */
  interrupt(): void {
    try {
      const isPutOff = (): boolean =>
        this.#isInOwnCode() && this.#runtime?.obeyAtNextCall(() => withOwnBuiltIns(() => this.#obeyNow())) === true;
      withOwnBuiltIns(() => isPutOff() || this.#obeyNow());
    } finally {
      this.#evaluated('interrupter');
    }
  }

  /** Begins a heartbeat for the watch of long turns, with this period in milliseconds; 0 ends it. */
  beat(period: number): void {
    if (period === 0) this.#turns?.end();
    else {
      this.#turns ??= this.#options.tracing.turnSampler();
      this.tell({ type: 'heartbeat', beats: this.#turns.begin(period) });
    }
  }

  /**
   * What runs now; called by the control thread through the inspector while this thread is in a long turn. Undefined: its turns
   * are not watched any more.
   */
  sampleTurn(look: TurnLook): TurnSample | undefined {
    try {
      return withOwnBuiltIns(() => this.#turns?.sample(look));
    } finally {
      this.#evaluated('turns');
    }
  }

  /** What an asker of the control thread has asked for through the inspector has run. */
  #evaluated(asker: Asker): void {
    const at = this.#channel.word(THREAD_WORD.EVALUATIONS);
    const isAsked = (AtomicsLoad(this.#block, at) & evaluationBits(asker, EVALUATION.ASKED)) !== 0;
    if (isAsked) AtomicsOr(this.#block, at, evaluationBits(asker, EVALUATION.RAN));
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

  /** Waits until the control thread listens, without the event loop; returns false if that takes too long. */
  reach(): boolean {
    return this.#channel.reach();
  }

  #waitForLinks(sent: number): void {
    const done = this.reach() && waitForControl(this.#block, this.#channel.word(THREAD_WORD.LINKS_DONE), sent);
    // If the control thread has ended, later texts must not wait again.
    if (!done) AtomicsStore(this.#block, WORD.LINK_WAITS, 0);
    // The text must not run before its patches are made, and those before them are.
    this.#slices.allAtOnce();
    this.#drain();
  }

  #drain(): void {
    let isAny = false;
    for (let message = this.#channel.take(); message !== undefined; message = this.#channel.take()) {
      isAny = true;
      if (isCommand(message)) this.#commands.put(message);
      else if (message.type === 'chore') this.#putOff(message.chore);
    }
    this.#commands.received();
    if (isAny || this.#commands.next !== undefined) withOwnBuiltIns(() => this.#catchUp());
  }

  /** Leaves a chore for later: this turn of the event loop is the program’s. */
  #putOff(chore: Chore): void {
    if (chore === 'renew') this.#isUnrenewed = false;
    else this.tell({ type: 'chore left', chore });
  }

  #unread(): void {
    this.#commands.unread();
    withOwnBuiltIns(() => this.tell({ type: 'unread' }));
  }

  #receive(message: ThreadMessage): void {
    // Whatever fails then, it is there.
    if (isCommand(message)) this.#commands.deliver(message);
    try {
      withOwnBuiltIns(() => {
        asyncContexts.hideCurrent();
        this.#quietly(() => this.#handle(message));
        // This turn was begun by a message of fentry.
        this.#runtime?.discardLatency();
      });
    } catch (error) {
      this.#disobeyAll(error);
    }
  }

  #handle(message: ThreadMessage): void {
    if (message.type !== 'chore') {
      if (this.#slices.mayGoOn(message)) this.#catchUp();
    } else if (message.chore === 'store') this.#storeSome();
    else {
      this.#isUnrenewed = false;
      this.#renew();
    }
  }

  #storeSome(): void {
    const end = traceClock() + STORING;
    try {
      if (!this.#isDetached && this.storeSome(() => traceClock() >= end)) this.tell({ type: 'chore left', chore: 'store' });
    } catch {
      // The program may have broken what this needs; its next start is slower.
    }
  }

  /** Renews cells of disarmed sites; what is left has its turn later. */
  #renew(): void {
    const { cells } = this.#options;
    const end = traceClock() + RENEWING;
    if (!cells.mustRenew || this.#isDetached || cells.renew(() => traceClock() >= end) || this.#isUnrenewed) return;
    this.#isUnrenewed = true;
    this.tell({ type: 'chore left', chore: 'renew' });
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
      // Nobody waits for it: the commands are answered.
      if (this.#commands.next === undefined) this.#renew();
    } finally {
      this.#obeying = false;
      if (this.#isDetached) this.#channel.close();
    }
  }

  /** A bug in here must not end the program: it is reported to the control thread. */
  #obey(command: ThreadCommand | LostCommand): boolean {
    try {
      if (command.type === 'lost') throw new TraceError('EIO', 'the thread could not read it');
      if (!this.#isBegun && obeyCommand(this, command) === false) return false;
      this.#isBegun = true;
      if (this.#runtime?.proceed() === false) {
        this.tell({ type: 'slice', slice: this.#slices.end() });
        return false;
      }
      this.tell({ type: 'ack', seq: command.seq });
    } catch (error) {
      this.#disobey(command, error);
    }
    this.#isBegun = false;
    this.#slices.done();
    return true;
  }

  #disobey({ seq, type }: ThreadCommand | LostCommand, error: unknown): void {
    this.tell({ type: 'ack', seq, disobeyed: { command: type, ...errnoOf(error) } });
  }

  /** Nothing can be obeyed: whoever waits learns why. */
  #disobeyAll(error: unknown): void {
    for (let command = this.#commands.next; command !== undefined; command = this.#commands.next) {
      this.#disobey(command, error);
      this.#commands.take();
    }
    this.#isBegun = false;
    this.#slices.done();
  }
}
