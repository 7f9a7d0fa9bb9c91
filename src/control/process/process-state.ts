import { EventWords } from '../../events/event-words.js';
import { PrintkFormats } from '../../events/printk-formats.js';
import { EventRegistry } from '../../events/registry.js';
import { allSettled } from '../../port/all-settled.js';
import type { CreatePort, Port, PortEvent, TracedThread, TracedThreads } from '../../port/port.js';
import { OwnEvents } from '../events/own-events.js';
import type { TracerSettings } from '../ftrace/instance-tracer.js';
import { ProcessPlaces } from '../ftrace/process-places.js';
import { ProcessTracer } from '../ftrace/process-tracer.js';
import { TextTable } from '../ftrace/text-table.js';
import { ProcessLivepatches } from '../livepatch/process-livepatches.js';
import { RequestedLivepatches } from '../livepatch/requested-livepatches.js';
import { placeNeeds } from '../probes/find-place.js';
import { ProbeTable } from '../probes/probe-table.js';
import { ProgramKprobes } from '../probes/program-kprobes.js';
import { ProgramSource } from '../probes/program-source.js';
import { AsyncContexts } from '../tasks/async-contexts.js';
import { SavedCmdlines } from '../tasks/saved-cmdlines.js';
import type { InstanceNeeds, ProcessInstance } from '../trace-array/process-instance.js';
import type { Warn } from '../tracefs/attached-file.js';
import { type EventTargets, takeEvent } from './thread-events.js';

/** What is known of a process at the start. */
export interface ProcessOptions {
  /** Its text and the threads that run it. */
  readonly createPort: CreatePort;
  /** What is on when the process starts. */
  readonly settings: TracerSettings;
  /** The program's main thread has run its last code. */
  readonly onProgramEnd: () => void;
  /** A thread wants the buffers dumped, of one cpu or of all. */
  readonly onDump: (cpu: number | undefined) => void;
  /** The line of a record, for the console. */
  readonly consoleLine: EventTargets['consoleLine'];
}

/** The process as the control thread sees it: its threads, texts, tasks and instances, and what they share. */
export class ProcessState implements InstanceNeeds, EventTargets {
  readonly port: Port;
  readonly table = new TextTable();
  readonly tracer: ProcessTracer;
  readonly places: ProcessPlaces;
  readonly livepatches: ProcessLivepatches;
  readonly requestedLivepatches: RequestedLivepatches;
  readonly events: EventRegistry;
  readonly eventWords = new EventWords((bytes) => this.port.allocate(bytes));
  readonly probes: ProbeTable;
  readonly probeSource: ProgramSource;
  /** Those that the program has registered. */
  readonly kprobes: ProgramKprobes;
  readonly ownEvents = new OwnEvents(this.eventWords);
  /** max_text_size */
  textSize = 0;
  readonly contexts = new AsyncContexts();
  readonly cmdlines = new SavedCmdlines();
  readonly printkFormats = new PrintkFormats();
  /** All instances; the first is the top level. */
  readonly instances: ProcessInstance[] = [];
  readonly onDump: ProcessOptions['onDump'];
  readonly onProgramEnd: () => void;
  readonly consoleLine: EventTargets['consoleLine'];
  /** Reports what could not be done. */
  warn: Warn = () => {};
  /** Of cpus whose thread records on another one too: that one. */
  readonly joined = new Map<number, number>();
  #isStarted = false;

  constructor({ createPort, settings, onProgramEnd, onDump, consoleLine }: ProcessOptions) {
    this.consoleLine = consoleLine;
    this.onProgramEnd = onProgramEnd;
    this.onDump = onDump;
    this.port = createPort({
      started: (thread) => this.#started(thread),
      ended: (thread) => this.#ended(thread),
      announced: () => this.tracer.takeTexts(),
      linked: (texts) => this.tracer.link(texts),
      linkedEarly: (text, isReached) => this.tracer.linkEarly(text, isReached),
      told: (thread: TracedThread, event: PortEvent) => takeEvent(this, thread, event),
    });
    this.events = new EventRegistry(() => this.port.events());
    this.tracer = new ProcessTracer(this.table, settings, this.port.announcements, (bytes) => this.port.allocate(bytes));
    this.places = new ProcessPlaces(() => this.threads.living, this.table);
    this.probes = new ProbeTable(this);
    this.probeSource = new ProgramSource({ table: this.table, places: this.places, needs: placeNeeds(this) });
    this.kprobes = new ProgramKprobes(this.table, this.places, placeNeeds(this));
    this.livepatches = new ProcessLivepatches(this);
    this.requestedLivepatches = new RequestedLivepatches(this.livepatches);
  }

  get threads(): TracedThreads {
    return this.port.threads;
  }

  /** Connects to the threads that already run. Settings for their first functions must be made before. */
  start(): void {
    this.#isStarted = true;
    this.#sayWhetherLinksWait();
    this.threads.start();
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

  /** A task has a record: a thread of this process, or a process that wrote to trace_marker. */
  saw(pid: number, comm: string): void {
    if (this.cmdlines.get(pid) === comm) return;
    if (this.threads.isThread(pid)) this.cmdlines.set(pid, comm);
    else this.cmdlines.setStranger(pid, comm);
  }

  joinCpus(cpu: number, other: number): void {
    this.joined.set(cpu, other);
    for (const instance of this.instances) instance.joinCpus(cpu, other);
  }

  setAsyncContext(on: boolean): void {
    this.contexts.setOn(on);
    for (const instance of this.instances) instance.applyPids();
  }

  setTextSize(characters: number): void {
    this.textSize = characters;
    for (const thread of this.threads.living) thread.post({ type: 'text size', characters });
  }

  #started(thread: TracedThread): void {
    this.saw(thread.tid, thread.comm);
    if (this.textSize !== 0) thread.post({ type: 'text size', characters: this.textSize });
    for (const instance of this.instances) instance.threadStarted(thread);
    this.contexts.addThread(thread);
    this.tracer.addThread(thread);
    this.livepatches.addThread(thread);
  }

  #ended(thread: TracedThread): void {
    this.tracer.removeThread(thread);
    this.livepatches.removeThread(thread);
    this.requestedLivepatches.removeThread(thread);
    this.kprobes.removeThread(thread);
    this.contexts.removeThread(thread);
    for (const instance of this.instances) instance.threadEnded(thread);
  }

  /** Threads that link a text look at this flag. */
  #sayWhetherLinksWait(): void {
    this.port.flags.set('links-wait', this.tracer.isOn ? 1 : 0);
    // Texts that were announced before a thread could see the flag; from here on, threads report each text.
    this.tracer.takeTexts();
  }
}
