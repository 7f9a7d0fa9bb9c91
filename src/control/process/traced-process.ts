import type { Place } from '../../answers/place.js';
import type { Imported } from '../../answers/symbol-places.js';
import { attempt } from '../../base/attempt.js';
import type { TraceEvent } from '../../events/define.js';
import { EventWords } from '../../events/event-words.js';
import { PrintkFormats } from '../../events/printk-formats.js';
import { EventRegistry } from '../../events/registry.js';
import type { SymbolTable, TextSymbol } from '../../ftrace/symbols.js';
import type { PortFeature } from '../../ftrace/tracers/features.js';
import { allSettled } from '../../port/all-settled.js';
import type { CreatePort, Port, PortEvent, TracedThread, TracedThreads } from '../../port/port.js';
import { type TimeStampClock, traceClock } from '../../ring-buffer/index.js';
import { ControlEvents } from '../events/control-events.js';
import { FaultInjection } from '../faults/fault-injection.js';
import { FunctionTable } from '../ftrace/function-table.js';
import { TOP_INSTANCE, type TracerSettings } from '../ftrace/instance-tracer.js';
import { ProcessPlaces } from '../ftrace/process-places.js';
import { ProcessTracer } from '../ftrace/process-tracer.js';
import { StackPlacesTable } from '../ftrace/stack-places.js';
import { TextTable } from '../ftrace/text-table.js';
import { Livepatches } from '../livepatch/livepatches.js';
import { placeNeeds } from '../probes/find-place.js';
import { KprobeList } from '../probes/kprobes-directory.js';
import { ProbeSource } from '../probes/probe-source.js';
import { ProbeTable } from '../probes/probe-table.js';
import { ProgramKprobes } from '../probes/program-kprobes.js';
import { FunctionProfiler } from '../profiler/function-profiler.js';
import { ProcessScripts } from '../scripts/process-scripts.js';
import { StackTracer } from '../stack-tracer/stack-tracer.js';
import { AsyncContexts } from '../tasks/async-contexts.js';
import { SavedCmdlines, TaskNames } from '../tasks/task-names.js';
import { TraceInstance } from '../trace-array/instance.js';
import type { InstanceNeeds } from '../trace-array/instance-needs.js';
import type { ThreadBuffer } from '../trace-array/thread-buffer.js';
import type { Warn } from '../tracefs/attached-file.js';
import { Sysctls } from './sysctl.js';
import { type TakenEventNeeds, takeEvent } from './thread-events.js';

/** What the process is created with. */
export interface ProcessOptions {
  /** Makes the port: the process's text and the threads that run it. */
  readonly createPort: CreatePort;
  /** What is on when the process starts. */
  readonly settings: TracerSettings;
  /** The application's folder; absent: that in which this process works. */
  readonly folder?: string | undefined;
  /** Data bytes of each thread's buffer. */
  readonly bufferBytes: number;
  /** The process was started with tp_printk: tracepoint_printk has an effect. */
  readonly hasConsole?: boolean;
  /** The program's main thread has run its last code. */
  readonly onProgramEnd: () => void;
  /** A thread wants the buffers dumped, of one cpu or of all. */
  readonly onDump: (cpu: number | undefined) => void;
  /** The line of a record, for the console. */
  readonly consoleLine: TakenEventNeeds['consoleLine'];
}

/**
 * The process that the tree describes, as the control thread sees it: its threads, texts, tasks and instances, and what they
 * share. Methods that change the program resolve when every thread has obeyed.
 */
export class TracedProcess implements InstanceNeeds, TakenEventNeeds {
  readonly port: Port;
  readonly table = new TextTable();
  readonly tracer: ProcessTracer;
  readonly places: ProcessPlaces;
  readonly stackPlaces: StackPlacesTable;
  readonly livepatches: Livepatches;
  readonly faults: FaultInjection;
  readonly stackTracer: StackTracer;
  readonly profiler: FunctionProfiler;
  readonly sysctls: Sysctls;
  /** The events that records can be of. */
  readonly events: EventRegistry;
  /** Words that threads look at for each event. */
  readonly eventWords = new EventWords((bytes) => this.port.allocate(bytes));
  readonly controlEvents = new ControlEvents(this.eventWords);
  /** What it does for kprobe_events, uprobe_events and dynamic_events. */
  readonly probes: ProbeTable;
  readonly scripts: ProcessScripts;
  /** The probes that the program has registered. */
  readonly programKprobes: ProgramKprobes;
  /** The probes of its functions, as kprobes/list shows them. */
  readonly kprobes: KprobeList;
  /** The process's sources, as kprobes/lines and kprobes/vars show them. */
  readonly probeSource: ProbeSource;
  readonly contexts = new AsyncContexts();
  /** The names of the tasks that were seen, at most saved_cmdlines_size. */
  readonly cmdlines = new SavedCmdlines();
  readonly #names = new TaskNames(this.cmdlines, this.contexts);
  /** The formats of tracePrintk() that the program has used. */
  readonly printkFormats = new PrintkFormats();
  /** All instances; the first is the top level. */
  readonly instances: TraceInstance[] = [];
  /** The instance at the top of the tree. */
  readonly top: TraceInstance;
  readonly onDump: ProcessOptions['onDump'];
  readonly onProgramEnd: () => void;
  readonly consoleLine: TakenEventNeeds['consoleLine'];
  /** Reports what could not be done. */
  warn: Warn = () => {};
  /** Cpus whose thread records on another one too, with that one. */
  readonly joined = new Map<number, number>();
  readonly #options: ProcessOptions;
  #lastInstance = TOP_INSTANCE;
  #isStarted = false;

  constructor(options: ProcessOptions) {
    const { createPort, settings, bufferBytes, hasConsole = false, onProgramEnd, onDump, consoleLine } = options;
    this.#options = options;
    this.consoleLine = consoleLine;
    this.onProgramEnd = onProgramEnd;
    this.onDump = onDump;
    const port = createPort({
      started: (thread) => this.#started(thread),
      ended: (thread) => this.#ended(thread),
      announced: () => this.tracer.takeTexts(),
      linked: (texts) => this.tracer.link(texts),
      loadedBefore: (text, isReached) => this.tracer.linkLoadedBefore(text, isReached),
      told: (thread: TracedThread, event: PortEvent) => takeEvent(this, thread, event),
    });
    const obeyed = (): Promise<void> => this.obeyed();
    this.port = port;
    this.events = new EventRegistry(() => port.events());
    this.tracer = new ProcessTracer(this.table, settings, port.announcements, (bytes) => port.allocate(bytes));
    const { tracer, table } = this;
    this.places = new ProcessPlaces(() => this.threads.living, table);
    this.stackPlaces = new StackPlacesTable({ table, places: this.places });
    this.probes = new ProbeTable(this);
    this.probeSource = new ProbeSource({ table, places: this.places, needs: placeNeeds(this) });
    this.scripts = new ProcessScripts(this);
    this.programKprobes = new ProgramKprobes(table, this.places, placeNeeds(this));
    this.kprobes = new KprobeList(this);
    this.livepatches = new Livepatches(this);
    this.profiler = new FunctionProfiler(tracer, {
      functionCount: () => tracer.functionCount(),
      obeyed,
      joined: this.joined,
      ...(port.createProfile && { create: port.createProfile.bind(port) }),
    });
    this.top = new TraceInstance(this, tracer.top, { bytes: bufferBytes, words: port.topSwitch });
    this.instances.push(this.top);
    this.stackTracer = new StackTracer(
      tracer,
      obeyed,
      () => port.canMeasureStacks(),
      (bytes) => port.allocate(bytes),
    );
    this.faults = new FaultInjection(tracer, table, obeyed, (n) => port.machineCode?.has(n) === true);
    this.sysctls = new Sysctls(port.flags, port.threads, hasConsole);
  }

  get threads(): TracedThreads {
    return this.port.threads;
  }

  get lacks(): ReadonlySet<PortFeature> {
    return this.port.lacks;
  }

  get timeStamps(): TimeStampClock {
    return this.port.timeStamps;
  }

  /** Connects to the threads that already run. Settings for their first functions must be made before. */
  start(): void {
    this.#isStarted = true;
    this.#sayWhetherLinksWait();
    this.threads.start();
  }

  /** Calls `warn` with what could not be done. */
  onUnreached(warn: Warn): void {
    this.warn = warn;
    this.tracer.onUnnamed((count, tracer) =>
      warn(`${count} functions were loaded before fentry and are not traced: name them with -l, or in set_ftrace_filter`, tracer),
    );
  }

  /** Resolves when the functions that were loaded before fentry was attached are listed; rejects as a change does. */
  async functionsLoadedBefore(): Promise<void> {
    await this.port.textsLoadedBefore(() => this.obeyed());
    await this.obeyed();
  }

  /**
   * Resolves when every thread has done what it was told.
   * @throws TraceError ETIMEDOUT when one is blocked: the change takes effect in the others now, and there as soon as it runs
   *   again
   */
  async obeyed(): Promise<void> {
    if (this.#isStarted) this.#sayWhetherLinksWait();
    await allSettled(this.threads.living);
  }

  /** Adds an instance with its own buffers, tracer and filters in their initial state, and with the options of the top level. */
  addInstance(name: string): TraceInstance {
    const { settings, bufferBytes } = this.#options;
    const options = { ...this.top.options, 'event-fork': false, 'function-fork': false };
    const tracer = this.tracer.addInstance(++this.#lastInstance, { ...settings, options });
    const instance = new TraceInstance(this, tracer, { bytes: bufferBytes, below: { name, top: this.top } });
    for (const { cpu } of this.cpus()) instance.buffers.addCpu(cpu);
    for (const [cpu, other] of this.joined) instance.buffers.joinCpus(cpu, other);
    this.instances.push(instance);
    return instance;
  }

  /** Instances that are in no directory. */
  readonly hidden = {
    add: (name: string): TraceInstance => this.addInstance(name),
    remove: (instance: TraceInstance): Promise<void> => this.removeInstance(instance),
  };

  /** Removes an instance and frees its buffers. */
  removeInstance(instance: TraceInstance): Promise<void> {
    this.instances.splice(this.instances.indexOf(instance), 1);
    return instance.close();
  }

  /** Ends all tracing and makes every thread detach; rejects as a change does. */
  detach(): Promise<void> {
    this.livepatches.clear();
    this.tracer.end();
    this.contexts.setOn(false);
    for (const thread of this.threads.living) thread.post({ type: 'detach' });
    return this.obeyed();
  }

  symbols(): SymbolTable {
    this.tracer.decode();
    return this.table.symbols();
  }

  /** Where a symbol is defined, in its author's source; undefined for fentry's own. */
  placeOf(symbol: TextSymbol): Place | undefined {
    return this.table.placeOf(symbol);
  }

  /** How the module came whose code a symbol is; undefined: it is a function. */
  imported({ address }: TextSymbol): Imported | undefined {
    return this.table.imported(address);
  }

  /** Modules that were handed on to be compiled since the last call, by the addresses of their code. */
  newCompiled(): readonly (readonly [address: number, imported: Imported])[] {
    return this.table.newCompiled().map((address) => [address, this.table.imported(address)!] as const);
  }

  /** Where addresses of stacks are that threads have told of since the last call. */
  newStackPlaces(): readonly (readonly [address: number, place: Place])[] {
    this.tracer.decode();
    return this.stackPlaces.newPlaces();
  }

  /** The application's folder: places are shown relative to it. '/' if it is gone. */
  get folder(): string {
    return this.#options.folder ?? attempt(() => process.cwd()) ?? '/';
  }

  /** Symbols of texts that were linked since the last call. */
  newSymbols(): readonly TextSymbol[] {
    this.tracer.decode();
    return this.table.newSymbols();
  }

  functions(): FunctionTable {
    this.tracer.decode();
    return new FunctionTable(this.table, this.tracer);
  }

  /** The buffers of the top level. */
  cpus(): readonly ThreadBuffer[] {
    return this.top.buffers.all();
  }

  /** Events that the top level first recorded since the last call. */
  newEvents(): readonly TraceEvent[] {
    return this.top.newEvents();
  }

  /** See Port. */
  heardSignals(signal: number): number {
    return this.port.heardSignals?.(signal) ?? 0;
  }

  /** CLOCK_MONOTONIC now, in nanoseconds. */
  now(): number {
    return traceClock();
  }

  comm(pid: number): string | undefined {
    return this.#names.comm(pid);
  }

  /** [pid, comm] of every task seen. */
  comms(): Iterable<readonly [number, string]> {
    return this.#names.comms();
  }

  isOwnTask(pid: number): boolean {
    return this.#names.isOwn(pid);
  }

  syscallName(nr: bigint): string | undefined {
    return this.port.syscallName(nr);
  }

  /** A script was refused: error_log shows its first line. */
  refused(language: string, message: string, source: string): void {
    const [first = ''] = source.split('\n', 1);
    this.top.errors.log(this.now(), language, message.trimEnd(), first, 0);
  }

  /** A task has a record: a thread of this process, or a process that wrote to trace_marker. */
  saw(pid: number, comm: string): void {
    if (this.cmdlines.get(pid) === comm) return;
    if (this.threads.isThread(pid)) this.cmdlines.set(pid, comm);
    else this.cmdlines.setStranger(pid, comm);
  }

  joinCpus(cpu: number, other: number): void {
    this.joined.set(cpu, other);
    for (const instance of this.instances) instance.buffers.joinCpus(cpu, other);
  }

  setAsyncContext(on: boolean): void {
    this.contexts.setOn(on);
    for (const instance of this.instances) instance.taskPids.apply();
  }

  #started(thread: TracedThread): void {
    this.saw(thread.tid, thread.comm);
    this.sysctls.addThread(thread);
    for (const instance of this.instances) instance.addThread(thread);
    this.contexts.addThread(thread);
    this.scripts.addThread(thread);
    this.tracer.addThread(thread);
    this.livepatches.addThread(thread);
  }

  #ended(thread: TracedThread): void {
    this.tracer.removeThread(thread);
    this.scripts.removeThread(thread);
    this.livepatches.removeThread(thread);
    this.programKprobes.removeThread(thread);
    this.contexts.removeThread(thread);
    for (const instance of this.instances) instance.removeThread(thread);
  }

  /** Threads that link a text look at this flag. */
  #sayWhetherLinksWait(): void {
    this.port.flags.set('links-wait', this.tracer.isOn ? 1 : 0);
    // Texts that were announced before a thread could see the flag; from here on, threads report each text.
    this.tracer.takeTexts();
  }
}
