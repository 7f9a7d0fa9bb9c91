import type { EventDefinition } from '../../../src/events/define.js';
import { NOTHING } from '../../../src/ftrace/tracers/features.js';
import { MAX_WRITERS } from '../../../src/port/limits.js';
import type { AnnouncedText, MachineCode, Port, PortListener, ThreadFlag } from '../../../src/port/port.js';
import { allocateRing, createInstanceSwitch } from '../../../src/ring-buffer/index.js';
import { SimulatedSites } from './simulated-sites.js';
import { type Program, SimulatedText } from './simulated-text.js';
import { SimulatedThread } from './simulated-thread.js';

/** Numbers that no thread of this process has. */
export const FIRST_TID = 5_000_000;

/** What a machine has besides its threads. */
export interface MachineOptions {
  /** See Port. */
  readonly events?: () => readonly EventDefinition[];
  /** See Port. Absent: its text is none. */
  readonly machineCode?: MachineCode;
}

/**
 * A second kind of program text, for the tests of the contract: functions that do nothing but call each other, on threads that
 * run when they are told to and share their sites. It shares nothing with v8.
 */
export class SimulatedMachine implements Port {
  readonly #listener: PortListener;
  readonly #text = new SimulatedText();
  readonly #sites = new SimulatedSites();
  readonly #threads: readonly SimulatedThread[];
  readonly #flags = new Map<ThreadFlag, number>();
  #announced: AnnouncedText[] = [];
  #isStarted = false;

  readonly sharesSites = true;
  readonly lacks = NOTHING;
  readonly timeStamps = { refused: 'the simulated machine has none' };
  readonly topSwitch = createInstanceSwitch(MAX_WRITERS);
  readonly counter = new BigInt64Array(new SharedArrayBuffer(8));
  readonly flags = {
    get: (flag: ThreadFlag) => this.#flags.get(flag) ?? 0,
    set: (flag: ThreadFlag, value: number) => void this.#flags.set(flag, value),
  };
  readonly announcements = { take: () => this.#announced.splice(0), done() {} };
  readonly threads;
  readonly machineCode?: MachineCode;
  readonly events: () => readonly EventDefinition[];

  constructor(listener: PortListener, cpus: number, { events = () => [], machineCode }: MachineOptions = {}) {
    if (machineCode !== undefined) this.machineCode = machineCode;
    this.#listener = listener;
    this.events = events;
    const threads = Array.from({ length: cpus }, (_, cpu) => new SimulatedThread(this.#text, this.#sites, cpu, FIRST_TID + cpu));
    this.#threads = threads;
    this.threads = {
      living: threads,
      get: (cpu: number) => threads[cpu],
      isThread: (tid: number) => threads.some((thread) => thread.tid === tid),
      start: () => this.#start(),
      look() {},
    };
  }

  allocate(bytes: number): SharedArrayBuffer {
    return allocateRing(bytes);
  }

  syscallName(): undefined {
    return undefined;
  }

  canMeasureStacks(): boolean {
    return true;
  }

  async textsLoadedBefore(): Promise<void> {}

  /** Loads a program: its functions can be called from then on, and have their patches. */
  load(program: Program, file: string): void {
    const link = this.#text.link(program, file);
    this.#announced.push({ thread: this.#threads[0]!, link });
    if (this.#isStarted) this.#listener.announced();
  }

  /** Calls a function on a cpu. */
  run(cpu: number, name: string): void {
    this.#threads[cpu]!.call(this.#text.number(name));
  }

  #start(): void {
    this.#isStarted = true;
    for (const thread of this.#threads) this.#listener.started(thread);
    this.#listener.announced();
  }
}
