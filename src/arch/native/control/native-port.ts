import { readFileSync } from 'node:fs';
import { createInstanceSwitch } from '../../../ring-buffer/index.js';
import { FEATURES, type PortFeature } from '../../../tracers/features.js';
import { TRACER_NAMES } from '../../../tracers/tracers.js';
import { MAX_WRITERS } from '../../limits.js';
import type { AnnouncedText, Port, PortEvent, PortListener, ThreadFlag } from '../../port.js';
import { OwnProcess } from '../addon/own-process.js';
import { arenaLayout } from '../code/arena.js';
import { REGISTERS } from '../code/fetch-code.js';
import { checkAccess } from '../process/access.js';
import { SCRATCH_BYTES } from '../process/borrowed-stub.js';
import type { AddressRange } from '../process/near-room.js';
import { parseMaps, processMaps } from '../process/process-maps.js';
import { ProcessMemory } from '../process/process-memory.js';
import { RemoteCaller } from '../process/remote-calls.js';
import { idInside } from '../process/tasks.js';
import { ChangeQueue } from './change-queue.js';
import { FunctionCommands } from './function-commands.js';
import { HeardEvents } from './heard-events.js';
import { closeLeftovers, findLeftovers, restoreText } from './leftovers.js';
import { NativeArena } from './native-arena.js';
import { NativeInstances } from './native-instances.js';
import { NativeOperations } from './native-operations.js';
import { NativeProbes } from './native-probes.js';
import { NativeSites } from './native-sites.js';
import { announcementOf, NativeTexts } from './native-texts.js';
import { NativeThreads } from './native-threads.js';
import { ProbedTexts } from './probed-texts.js';
import { SharedPages } from './shared-pages.js';
import { SiteTargets } from './site-targets.js';
import { mapTargetMemory } from './target-memory.js';
import { threadIdOffset } from './thread-id-offset.js';
import { TscClock } from './tsc-clock.js';
import { Unwinding } from './unwinding.js';

/** How large the arena of a process is. Only what is used of it takes memory. */
const ARENA = arenaLayout({ threads: 256, frames: 4096, functions: 2 ** 20 });

/** Behind it the process has room for the functions that it is made to call. */
const PAGE = 4096;
const SCRATCH = Math.ceil(ARENA.bytes / PAGE) * PAGE;
/** Bytes at the end of code memory for the stubs of borrowed threads. */
const STUBS = 2 ** 20;

const OFFERED: ReadonlySet<PortFeature> = new Set<PortFeature>(['instances', 'commands', 'probes']);
/** And of the tracers everything but function, function_graph and nop. */
const LACKS: ReadonlySet<PortFeature> = new Set<PortFeature>([
  ...FEATURES.filter((feature) => !OFFERED.has(feature)),
  ...TRACER_NAMES.filter((name) => !['function', 'function_graph', 'nop'].includes(name)),
]);

/** What the port tells besides what the contract has. */
export interface NativePortListener {
  /** The traced process has ended, or runs another program. */
  gone(): void;
  /** Text of the process that it does not run for now, and that is restored afterwards. */
  readonly room?: AddressRange | undefined;
}

/** The port to machine code: another process, whose text this one changes. */
export class NativePort implements Port {
  readonly sharesSites = true;
  readonly lacks = LACKS;
  readonly threads: NativeThreads;
  readonly registers = REGISTERS;
  readonly reportsEvents = true;
  readonly addressOf: (symbol: string) => number | undefined;
  readonly topSwitch: SharedArrayBuffer;
  readonly counter = new BigInt64Array(new SharedArrayBuffer(8));
  readonly flags;
  readonly announcements = { take: () => this.#takeTexts(), done() {} };
  readonly #pid: number;
  readonly #listener: PortListener;
  readonly #flags = new Map<ThreadFlag, number>();
  readonly #pages: SharedPages;
  readonly #texts: NativeTexts;
  readonly #clock: TscClock;
  #maps = '';

  /**
   * Maps memory into the process; nothing is patched yet.
   * @throws TraceError when it may not or cannot be changed: EPERM, EACCES, ESRCH, EBUSY, EAGAIN, ENOMEM and the reason
   */
  constructor(pid: number, listener: PortListener, { gone, room: spare }: NativePortListener) {
    checkAccess(pid);
    const own = new OwnProcess();
    const memory = new ProcessMemory(pid);
    const caller = new RemoteCaller(memory);
    if (spare !== undefined) caller.lend(spare);
    const maps = processMaps(pid);
    const leftovers = findLeftovers(memory, maps);
    closeLeftovers(memory, leftovers);
    const target = mapTargetMemory(memory, caller, SCRATCH + SCRATCH_BYTES + PAGE);
    const [room] = target.code;
    if (room !== undefined) caller.lend({ start: room.end - STUBS, end: room.end });
    const code = target.code.map(({ start, end }) => ({ start, end: end - STUBS }));
    const arena = new NativeArena(memory, target.data.start, ARENA);
    const pages = new SharedPages(own, target.fd, target.shared);
    const texts = new NativeTexts(pid);
    const queue = new ChangeQueue(memory);
    queue.addText(restoreText(memory, maps, leftovers));
    queue.flush();
    const tidOffset = threadIdOffset(pid, processMaps(pid));
    const scratch = { start: target.data.start + SCRATCH, end: target.data.end };
    const unwinding = new Unwinding({ memory, caller, arena: arena.start, scratch, stackBytes: SCRATCH_BYTES });
    const table = pages.allocate(NativeProbes.tableBytes);
    const probeTable = pages.addressOf(table)!;
    const ownPid = idInside(pid);
    const targets = new SiteTargets({ memory, caller, arena, code, tidOffset, unwinding, probes: probeTable, ownPid });
    this.#pid = pid;
    this.#listener = listener;
    this.#pages = pages;
    this.#texts = texts;
    this.#clock = new TscClock(arena, () => own.rdtsc());
    this.topSwitch = createInstanceSwitch(MAX_WRITERS, (bytes) => pages.allocate(bytes));
    const instances = new NativeInstances(ARENA, pages, this.topSwitch);
    const sites = new NativeSites({
      instances,
      operations: new NativeOperations(arena, (name) => targets.operation(name)),
      commands: new FunctionCommands(pages),
      withOperations: (n, site, next) => targets.withOperations(n, site, next),
      arena,
      queue,
      texts,
      prepare: (functions, tracer) => targets.prepare(functions, tracer),
      targetOf: (n, site, tracer, probed) => targets.of(n, site, tracer, probed),
      probesOf: (n) => probes.probesOf(n),
      restored: () => targets.end(),
      unreached: (n, why) => listener.told(this.threads.living[0]!, { type: 'unreached', n, why }),
    });
    const told = (event: PortEvent): void => listener.told(this.threads.living[0]!, event);
    const heard = new HeardEvents(arena, pages);
    const probedTexts = new ProbedTexts(pid, texts);
    const probes = new NativeProbes(
      {
        pages,
        queue,
        instances,
        targets,
        texts: probedTexts,
        addressOf(n) {
          const found = texts.function(n);
          return found && found.object.text.base + found.one.start;
        },
        hear: () => heard.begin(this.threads.living.length),
        rearm: (n) => sites.rearm(n),
        ended: (id, why) => told({ type: 'probe ended', id, why }),
      },
      table,
    );
    this.addressOf = (symbol) => probedTexts.addressOf(symbol);
    this.threads = new NativeThreads(
      pid,
      { arena, pages, queue, sites, probes, instances, heard, told, canReuse: tidOffset !== undefined },
      {
        started: (thread) => listener.started(thread),
        taken: ({ tid, comm }) => this.#known(tid, comm),
        known: (tid, comm) => this.#known(tid, comm),
        dump: (cpu) => listener.told(this.threads.living[0]!, { type: 'dump', cpu }),
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
    return this.#pages.allocate(bytes);
  }

  events(): readonly [] {
    return [];
  }

  syscallName(): undefined {
    return undefined;
  }

  canMeasureStacks(): boolean {
    return false;
  }

  async earlyTexts(): Promise<void> {}

  #known(pid: number, comm: string): void {
    this.#listener.told(this.threads.living[0]!, { type: 'task', pid, comm });
  }

  /** Links what the process has loaded since it was last looked at. */
  #takeTexts(): readonly AnnouncedText[] {
    const [thread] = this.threads.living;
    if (thread === undefined) return [];
    try {
      const maps = readFileSync(`/proc/${this.#pid}/maps`, 'latin1');
      if (maps === this.#maps) return [];
      this.#maps = maps;
      const found = this.#texts.look(parseMaps(maps));
      for (const { text } of found) thread.sites.idle(text);
      return found.map((object) => ({ thread, link: announcementOf(object) }));
    } catch {
      // It has ended.
      return [];
    }
  }
}
