import { readFileSync } from 'node:fs';
import { Refused } from '../../base/refused.js';
import { profileCapacity } from '../../ftrace/function-profile.js';
import { IntegerProfile, PROFILE_ROW } from '../../ftrace/integer-profile.js';
import { FEATURES, type PortFeature } from '../../ftrace/tracers/features.js';
import { TRACER_NAMES } from '../../ftrace/tracers/tracers.js';
import type { AnnouncedText, MachineCode, Port, PortEvent, PortListener, ThreadFlag } from '../../port/port.js';
import { registerNames } from '../code/fetch-code.js';
import { OWN_MACHINE } from '../machines/machines.js';
import { SCRATCH_BYTES } from '../process/borrowed-stub.js';
import { parseMaps, processMaps } from '../process/process-maps.js';
import { idInside } from '../process/tasks.js';
import { registersBy } from '../process/thread-registers.js';
import { ChangeQueue, type TextProgress } from './change-queue.js';
import { FunctionCommands } from './function-commands.js';
import { HeardEvents } from './heard-events.js';
import { forget, leave } from './leave.js';
import { NativeInstances } from './native-instances.js';
import { NativeLivepatches } from './native-livepatches.js';
import { NativeOperations } from './native-operations.js';
import { NativeProbes } from './native-probes.js';
import { NativeReplacements } from './native-replacements.js';
import { NativeSites } from './native-sites.js';
import type { NativeTarget } from './native-target.js';
import { announcementOf, NativeTexts } from './native-texts.js';
import { NativeThreads } from './native-threads.js';
import { NativeTraps } from './native-traps.js';
import { ProbedTexts } from './probed-texts.js';
import { SiteTargets } from './site-targets.js';
import { threadIdOffset } from './thread-id-offset.js';
import { ThreadTable } from './thread-table.js';
import { ToldWork } from './told-work.js';
import { TscClock } from './tsc-clock.js';
import { Unwinding } from './unwinding.js';

const OFFERED: ReadonlySet<PortFeature> = new Set<PortFeature>([
  ...(['instances', 'commands', 'profiler', 'stack tracer', 'probes', 'livepatch'] as const),
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
  readonly readsTsc = OWN_MACHINE.name === 'x86-64';
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
  #isRestored = false;

  /**
   * Nothing is patched yet.
   * @param gone called when the process has ended, or runs another program
   */
  constructor(target: NativeTarget, listener: PortListener, gone: () => void) {
    const { pid, local, memory, arena, mapped, pages, code, scratch, caller, hasJavaScript, claimCpu, leftovers } = target;
    const work = new ToldWork(pid, target.progress);
    const texts = new NativeTexts(pid, target.claimFunctions, target.cache, work);
    const refusals = { forbidden: () => sites.close(), changed: () => sites.reopen() };
    const sliced = ({ done, all }: TextProgress): void => work.changes(done, all);
    const queue = new ChangeQueue(target.make, hasJavaScript ? refusals : undefined, sliced);
    const maps = processMaps(pid);
    const tidOffset = threadIdOffset(pid, maps);
    const unwinding = new Unwinding({ memory, caller, arena: arena.start, scratch, stackBytes: SCRATCH_BYTES });
    const probeWords = pages.allocate(NativeProbes.tableBytes);
    const probeTable = pages.addressOf(probeWords)!;
    const pidInside = idInside(pid);
    arena.setMainStack(pidInside, maps);
    const table = new ThreadTable(pages, arena.layout.threads);
    arena.setThreadWords(table.address);
    const targets = new SiteTargets({
      ...{ memory, caller, arena, mapped, code, tidOffset, unwinding, hasJavaScript },
      probes: probeTable,
      pidInside,
    });
    this.target = target;
    this.targets = targets;
    this.topSwitch = target.topSwitch;
    this.#texts = texts;
    this.#clock = new TscClock(arena, () => local.readClocks());
    const told = (event: PortEvent): void => listener.told(this.threads.living[0]!, event);
    const known = (pid: number, comm: string): void => told({ type: 'task', pid, comm });
    const instances = new NativeInstances(arena.layout, pages, this.topSwitch);
    const replacements = new NativeReplacements(texts, targets, tidOffset);
    const sites = new NativeSites({
      instances,
      operations: new NativeOperations(arena, (name) => targets.operation(name)),
      commands: new FunctionCommands(pages),
      withOperations: (n, site, next) => targets.withOperations(n, site, next),
      arena,
      queue,
      texts,
      work,
      prepare: (functions, tracer) => targets.prepare(functions, tracer),
      targetOf: (n, site, tracer, probed) => targets.of(n, site, tracer, probed),
      probesOf: (n) => probes.probesOf(n),
      replacementOf: (n) => replacements.of(n),
      restored: (threads) => {
        if (this.#isRestored) return;
        this.#isRestored = true;
        // This process does not stand still meanwhile: its calls return through the code, which stays.
        if (hasJavaScript) {
          forget(memory, targets.code);
          return;
        }
        // Another host may take the memory.
        this.threads.end();
        this.#clock.end();
        leave({ memory, mapped, pages }, threads, targets.code);
      },
      unreached(n, why) {
        told({ type: 'unreached', n, why });
        livepatches.unreached(n, why);
      },
    });
    const heard = new HeardEvents(arena, pages);
    const probedTexts = new ProbedTexts(pid, texts);
    const traps = new NativeTraps({ memory, caller, arena, queue, targets, texts: probedTexts, scratch, leftovers });
    const probes = new NativeProbes(
      {
        pages,
        queue,
        instances,
        targets,
        texts: probedTexts,
        traps,
        addressOf(n) {
          const found = texts.function(n);
          return found && found.object.text.base + found.one.start;
        },
        siteOf: (n) => texts.function(n)?.one.site,
        hear: () => heard.begin(this.threads.living.length),
        rearm: (n) => sites.rearm(n),
        ended: (event, why) => told({ type: 'probe ended', event, why }),
      },
      probeWords,
    );
    const livepatches = new NativeLivepatches({
      ...{ memory, caller, pages, scratch, queue, texts, replacements, hasJavaScript },
      put: (bytes) => targets.handler(() => bytes),
      codeAreas: () => targets.code,
      blocks: () => this.threads.living.map(({ block }) => arena.block(block)),
      registersOf: registersBy(local),
      living: () => this.threads.living,
      waits: (tids) => this.clearStacks(tids),
      told: (thread, patch, news) => listener.told(thread, { type: 'livepatch', patch, ...news }),
    });
    this.machineCode = {
      isAll: !hasJavaScript,
      has: (n) => texts.function(n) !== undefined,
      registers: registerNames(OWN_MACHINE.probes),
      addressOf: (symbol) => probedTexts.addressOf(symbol),
      fetchVariable(n, place, fetch, asked) {
        const found = texts.function(n);
        return found?.object.text.debug?.fetch(found.one, place, fetch, asked) ?? new Refused('its object is not known');
      },
    };
    this.threads = new NativeThreads(
      pid,
      {
        ...{ arena, table, pages, queue, sites, probes, traps, livepatches, instances, heard, told },
        canReuse: tidOffset !== undefined,
        ...(claimCpu && { claimCpu }),
      },
      {
        started: (thread) => listener.started(thread),
        taken: ({ tid, comm }) => known(tid, comm),
        known,
        dump: (cpu) => told({ type: 'dump', cpu }),
        ended: (thread) => listener.ended(thread),
        gone: () => {
          this.#clock.end();
          gone();
        },
        begun: () => listener.announced(),
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

  async earlyTexts(): Promise<void> {}

  /** Asks threads to write over what ended calls have left on their stacks; nothing if they cannot be told so. */
  protected clearStacks(_tids: readonly number[]): void {}

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
