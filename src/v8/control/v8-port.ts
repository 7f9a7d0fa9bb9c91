import { createRequire } from 'node:module';
import type { EventDefinition } from '../../events/define.js';
import { NOTHING } from '../../ftrace/tracers/features.js';
import type { ControlState } from '../../port/control-state.js';
import type { Inspect } from '../../port/inspect.js';
import type { Port, PortListener, ThreadFlag, ThreadFlags } from '../../port/port.js';
import { allocateRing, type TimeStampClock } from '../../ring-buffer/index.js';
import { syscallName } from '../node-events/boundary/syscall-table.js';
import {
  CONTROL_STATE,
  type ControlBlock,
  clockCounter,
  FORBIDDEN,
  heardSignalWord,
  THREAD_WORD,
  threadWord,
  WORD,
} from '../shared/control-block.js';
import type { ProcessShare, ThreadEvent } from '../shared/protocol.js';
import { createStackDepth } from '../stack-depth.js';
import { announcement } from './announcement.js';
import { loadInspections } from './load-inspections.js';
import { LoadedScripts } from './loaded-before/loaded-scripts.js';
import { type LinkedScript, LoadedTexts, type LoadedTextsOptions } from './loaded-before/loaded-texts.js';
import { ProcessCycles } from './process-cycles.js';
import { TextLogs } from './text-logs.js';
import type { ThreadConnection } from './thread-connection.js';
import { type ToldPort, takeThreadEvent } from './thread-events.js';
import { Threads } from './threads.js';
import type { Beats } from './turns/heartbeat.js';
import type { TurnNeeds } from './turns/turn-watch.js';

/** Words of the control block that threads check. */
const FLAG_WORDS: Readonly<Record<ThreadFlag, number>> = {
  'links-wait': WORD.LINK_WAITS,
  'patch-at-once': WORD.PATCH_AT_ONCE,
  ftrace_dump_on_oops: WORD.DUMP_ON_OOPS,
  traceoff_on_warning: WORD.TRACEOFF_ON_WARNING,
  tracepoint_printk: WORD.TRACEPOINT_PRINTK,
  'marks-off': WORD.MARKS_OFF,
};

/** What the control thread gets from the thread that starts it. */
export interface V8PortOptions {
  readonly share: ProcessShare;
  /** The TextLog of the thread on cpu 0. */
  readonly texts: SharedArrayBuffer;
  /** The control thread's own id at the operating system. */
  readonly tid: number;
  /** Reads texts that were loaded before fentry, in an attached process. */
  readonly loadedBefore?: Omit<LoadedTextsOptions, 'share'>;
}

/** The port to JavaScript on the control thread of the process itself. */
export class V8Port implements Port, ToldPort {
  readonly sharesSites = false;
  readonly lacks = NOTHING;
  readonly block: ControlBlock;
  readonly topSwitch: SharedArrayBuffer;
  readonly counter: BigInt64Array;
  readonly announcements: TextLogs;
  readonly threads: Threads;
  readonly flags: ThreadFlags;
  readonly listener: PortListener;
  readonly loadedScripts: LoadedScripts | undefined;
  /** The heartbeats of threads whose turns are watched, by cpu. */
  readonly beats = new Map<number, Beats>();
  #firstLog: SharedArrayBuffer | undefined;
  #inspect: Inspect | undefined;
  #cycles: ProcessCycles | undefined;
  #areCyclesRead = false;

  constructor({ share, texts, tid, loadedBefore }: V8PortOptions, listener: PortListener) {
    const block = new Int32Array(share.block);
    this.block = block;
    this.listener = listener;
    this.topSwitch = share.topSwitch;
    this.counter = clockCounter(share.block);
    this.announcements = new TextLogs(block);
    this.#firstLog = texts;
    this.flags = {
      get: (flag) => Atomics.load(block, FLAG_WORDS[flag]),
      set: (flag, value) => void Atomics.store(block, FLAG_WORDS[flag], value),
    };
    const threads = {
      started: (thread: ThreadConnection) => this.#started(thread),
      told: (thread: ThreadConnection, event: ThreadEvent) => takeThreadEvent(this, thread, event),
      ended: (thread: ThreadConnection) => this.#ended(thread),
    };
    this.threads = new Threads(share, tid, threads, loadedBefore?.fentryFolder);
    this.loadedScripts =
      loadedBefore &&
      new LoadedScripts(new LoadedTexts({ share, ...loadedBefore }), (thread, script) => this.#linkLoaded(thread, script));
  }

  events(): readonly EventDefinition[] {
    // Its tables, and the modules of Node's that they look at, take longer to load than most else of the control thread.
    const nodeEvents = createRequire(import.meta.url)('./node-events.cjs') as typeof import('../node-events/index.js');
    return nodeEvents.nodeEventDefinitions();
  }

  get inspect(): Inspect {
    return (this.#inspect ??= new (loadInspections().Inspections)(this.threads.inspectionNeeds, this.#turnNeeds()));
  }

  get timeStamps(): TimeStampClock {
    const cycles = this.#foundCycles;
    return {
      refused: cycles.noTimeStamps,
      notChosen: cycles.notChosen,
      begin: () => {
        this.#readCycles(cycles);
        return cycles.counts;
      },
    };
  }

  useCheapestClock(): void {
    // Not at once: whoever switches tracing on does not wait until the counter's rate is measured.
    setImmediate(() => this.#readCycles(this.#foundCycles));
  }

  get #foundCycles(): ProcessCycles {
    const mayWrite = (Atomics.load(this.block, WORD.FORBIDDEN) & FORBIDDEN.MEMORY) === 0;
    return (this.#cycles ??= new ProcessCycles(() => this.#postCycles(), mayWrite));
  }

  lostCycles(serial: number): void {
    this.#cycles?.lost(serial);
  }

  #readCycles({ command }: ProcessCycles): void {
    if (this.#areCyclesRead || command === undefined) return;
    this.#areCyclesRead = true;
    this.#postCycles();
  }

  #postCycles(): void {
    if (!this.#areCyclesRead) return;
    for (const thread of this.threads.living) thread.post(this.#cycles!.command!);
  }

  #turnNeeds(): TurnNeeds {
    return {
      threads: () => this.threads.living,
      beats: (cpu) => this.beats.get(cpu),
      forget: (cpu) => void this.beats.delete(cpu),
      worker: (cpu) => Atomics.load(this.block, threadWord(cpu, THREAD_WORD.WORKER)),
    };
  }

  syscallName(nr: bigint): string | undefined {
    return syscallName(nr);
  }

  allocate(bytes: number): SharedArrayBuffer {
    return allocateRing(bytes);
  }

  heardSignals(signal: number): number {
    return Atomics.load(this.block, heardSignalWord(signal));
  }

  canMeasureStacks(): boolean {
    const depth = createStackDepth();
    depth?.end();
    return depth !== undefined;
  }

  async textsLoadedBefore(obeyed: () => Promise<void>): Promise<void> {
    await this.threads.reachWorkers();
    await obeyed();
    await this.loadedScripts?.settled;
  }

  #started(thread: ThreadConnection): void {
    if (thread.cpu === 0 && this.#firstLog !== undefined) {
      this.announcements.set(thread, this.#firstLog);
      this.#firstLog = undefined;
    }
    if (this.#areCyclesRead) thread.post(this.#cycles!.command!);
    this.listener.started(thread);
  }

  #ended(thread: ThreadConnection): void {
    this.listener.announced();
    this.announcements.delete(thread);
    this.listener.ended(thread);
  }

  #linkLoaded(thread: ThreadConnection, { link, text }: LinkedScript): void {
    const isNew = text === undefined || thread.addBreakpointText(text);
    if (isNew) this.listener.loadedBefore({ thread, link: announcement(link) }, text !== undefined);
  }
}

/** Sets the state of the control thread in the control block; program threads wait for it. */
export const createControlState = (block: ControlBlock, tid: number): ControlState => {
  const { STARTING, BINDING, LISTENING, ENDED } = CONTROL_STATE;
  const enter = (state: number): void => {
    Atomics.store(block, WORD.CONTROL, state);
    Atomics.notify(block, WORD.CONTROL);
  };
  Atomics.store(block, WORD.CONTROL_TID, tid);
  return {
    mayListen: () => Atomics.compareExchange(block, WORD.CONTROL, STARTING, BINDING) === STARTING,
    listens: () => enter(LISTENING),
    endsWithProgram: true,
    hasClients(has) {
      Atomics.store(block, WORD.HAS_CLIENTS, has ? 1 : 0);
      return Atomics.load(block, WORD.PROGRAM_ENDS) === 0;
    },
    ends: () => enter(ENDED),
  };
};
