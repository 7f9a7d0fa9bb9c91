import { readFileSync } from 'node:fs';
import { profileCapacity } from '../../ftrace/function-profile.js';
import { IntegerProfile, PROFILE_ROW } from '../../ftrace/integer-profile.js';
import { FEATURES, type PortFeature } from '../../ftrace/tracers/features.js';
import { TRACER_NAMES } from '../../ftrace/tracers/tracers.js';
import type { Inspect, StackLook } from '../../port/inspect.js';
import type { AnnouncedText, MachineCode, Port, PortListener, ThreadFlag } from '../../port/port.js';
import type { TimeStampClock } from '../../ring-buffer/index.js';
import { LOCAL_MACHINE } from '../machines/machines.js';
import { parseMaps } from '../process/process-maps.js';
import type { StoppedThread } from '../process/stop.js';
import { forget, leave } from './leave.js';
import { NativeInspect } from './native-inspect.js';
import { armedParts, machineCodeOf, placeInProcess, textParts } from './native-parts.js';
import type { NativeTarget } from './native-target.js';
import { announcementOf, type NativeTexts } from './native-texts.js';
import type { NativeThread } from './native-thread.js';
import { NativeThreads } from './native-threads.js';
import { PortNews } from './port-news.js';
import type { SiteTargets } from './site-targets.js';
import { TscClock } from './tsc-clock.js';

const OFFERED: ReadonlySet<PortFeature> = new Set<PortFeature>([
  ...(['instances', 'commands', 'profiler', 'stack tracer', 'probes', 'livepatch', 'scripts', 'answers'] as const),
]);
/** What the port lacks: features, and of the tracers everything but function, function_graph and nop. */
const LACKS: ReadonlySet<PortFeature> = new Set<PortFeature>([
  ...FEATURES.filter((feature) => !OFFERED.has(feature)),
  ...TRACER_NAMES.filter((name) => !['function', 'function_graph', 'nop'].includes(name)),
]);

/** The share of a buffer's memory that its events may take, and its margin: the rest is for what describes its pages. */
const [BUFFER_SHARE, BUFFER_MARGIN] = [0.95, 2 ** 17];

/** The port to machine code: another process, whose text this one changes. */
export class NativePort implements Port {
  readonly sharesSites = true;
  readonly lacks = LACKS;
  readonly timeStamps: TimeStampClock;
  readonly threads: NativeThreads;
  readonly reportsEvents = true;
  readonly machineCode: MachineCode;
  readonly topSwitch: SharedArrayBuffer;
  readonly counter = new BigInt64Array(new SharedArrayBuffer(8));
  readonly flags;
  readonly announcements = { take: (areNeeded: boolean) => this.#takeTexts(areNeeded), done() {} };
  protected readonly target: NativeTarget;
  protected readonly targets: SiteTargets;
  readonly #flags = new Map<ThreadFlag, number>();
  readonly #texts: NativeTexts;
  readonly #clock: TscClock;
  #maps = '';
  #inspect: Inspect | undefined;

  /**
   * Nothing is patched yet.
   * @param gone called when the process has ended, or runs another program
   */
  constructor(target: NativeTarget, listener: PortListener, gone: () => void) {
    const { pid, local, arena, claimCpu } = target;
    const cpus: NativeThread[] = [];
    const news = new PortNews(listener, cpus);
    const placed = placeInProcess(target);
    const text = textParts(target, placed);
    const armed = armedParts(target, placed, text, news);
    this.target = target;
    this.targets = placed.targets;
    this.topSwitch = target.topSwitch;
    this.#texts = text.texts;
    this.#clock = new TscClock(arena, () => local.readClocks());
    this.timeStamps = {
      refused: LOCAL_MACHINE.hasTimeStamp ? undefined : 'Only x86-64 has that time stamp counter',
      begin: () => this.#clock.countAt,
    };
    this.machineCode = machineCodeOf(target, text);
    const { table, tidOffset } = placed;
    this.threads = new NativeThreads(
      pid,
      cpus,
      { ...target, ...armed, queue: text.queue, table, news, canReuse: tidOffset !== undefined, claimCpu },
      {
        restored: (threads) => this.#leave(threads),
        gone: () => {
          this.#clock.end();
          gone();
        },
      },
    );
    this.flags = {
      get: (flag: ThreadFlag) => this.#flags.get(flag) ?? 0,
      set: (flag: ThreadFlag, value: number) => void this.#flags.set(flag, value),
    };
    arena.setOpen('ALL');
  }

  allocate(bytes: number): SharedArrayBuffer {
    return this.target.pages.allocate(bytes);
  }

  get inspect(): Inspect {
    return (this.#inspect ??= new NativeInspect(this.target.pid, () => this.beginStacks()));
  }

  /** See NativeSide. */
  beginStacks(): StackLook {
    return this.target.beginStacks();
  }

  largestBuffer(): { readonly bytes: number; readonly why: string } {
    const cpus = this.threads.living.length;
    const each = this.target.pages.largestOf(2 * cpus);
    const why = `the limits of process ${this.target.pid} (ulimit -v, ulimit -f) leave no more for ${cpus} cpus and as many that may come`;
    return { bytes: (each - BUFFER_MARGIN) * BUFFER_SHARE, why };
  }

  createProfile(functions: number): IntegerProfile {
    return new IntegerProfile(this.allocate(profileCapacity(functions) * PROFILE_ROW.BYTES));
  }

  events(): readonly [] {
    return [];
  }

  syscallName(): undefined {
    return undefined;
  }

  canMeasureStacks(): boolean {
    return true;
  }

  async textsLoadedBefore(): Promise<void> {}

  /** All text is what it was compiled to. */
  #leave(threads: readonly StoppedThread[]): void {
    // This process does not stand still meanwhile: its calls return through the code, which stays.
    if (this.target.hasJavaScript) {
      forget(this.target.memory, this.targets.code);
      return;
    }
    // Another host may take the memory.
    this.threads.end();
    this.#clock.end();
    leave(this.target, threads, this.targets.code);
  }

  /**
   * Links what the process has loaded since it was last looked at; if functions are not needed, only what the compiler's calls
   * are in.
   */
  #takeTexts(areNeeded: boolean): readonly AnnouncedText[] {
    const [thread] = this.threads.living;
    if (thread === undefined) return [];
    try {
      const maps = readFileSync(`/proc/${this.target.pid}/maps`, 'latin1');
      if (maps !== this.#maps) this.#texts.look(parseMaps(maps));
      this.#maps = maps;
      const found = this.#texts.take(areNeeded);
      for (const { text } of found) thread.sites.idle(text);
      return found.map((object) => ({ thread, link: announcementOf(object) }));
    } catch {
      // It has ended.
      return [];
    }
  }
}
