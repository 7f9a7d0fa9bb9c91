import { fileURLToPath } from 'node:url';
import { isObjectFile } from '../base/is-object-file.js';
import type { EventDefinition } from '../events/define.js';
import { FunctionProfile, type ProfileCounts } from '../ftrace/function-profile.js';
import type { PortFeature } from '../ftrace/tracers/features.js';
import type { TimeStampClock } from '../ring-buffer/index.js';
import type { Inspect, StackLook } from './inspect.js';
import { JoinedInspect } from './joined-inspect.js';
import type {
  AnnouncedText,
  CreatePort,
  MachineCode,
  Port,
  PortCommand,
  PortListener,
  TextAnnouncement,
  TextAnnouncements,
  ThreadFlags,
  TracedThread,
  TracedThreads,
} from './port.js';
import { type Side, SideCommands } from './side-commands.js';
import { SideThread } from './side-thread.js';

/** The port to a process's native text, as the port to its JavaScript stands beside it. */
export interface NativeSide extends Port {
  readonly machineCode: MachineCode;
  createProfile(functions: number, cpu: number): ProfileCounts;
  /** See LocalPort. */
  describe(firstFunction: number, addresses: readonly number[]): void;
  /** Begins a look at the machine code on the stacks of all threads. @throws TraceError if it may not be looked at */
  beginStacks(): StackLook;
  join(thread: TracedThread): { readonly thread: TracedThread; readonly command: PortCommand } | undefined;
}

/**
 * Two ports to one process: its JavaScript, and its native text. Functions of both are found, patched and recorded together. A
 * thread that runs both has a cpu with each; what is recorded there is shown as one.
 */
export class JoinedPort implements Port {
  readonly sharesSites = true;
  readonly threads: TracedThreads;
  readonly announcements: TextAnnouncements;
  readonly machineCode: MachineCode;
  readonly reportsEvents = true;
  readonly #script: Port;
  readonly #native: NativeSide;
  readonly #sides = new WeakMap<TracedThread, SideThread>();
  readonly #commands: SideCommands;
  #inspect: Inspect | undefined;

  constructor(createScript: CreatePort, createNative: (listener: PortListener) => NativeSide, listener: PortListener) {
    const described = (text: AnnouncedText): AnnouncedText => ({ ...text, link: this.#described(text.link) });
    const native = createNative(this.#listenerOf('native', listener));
    const { machineCode } = native;
    this.#native = native;
    this.machineCode = machineCode;
    this.#commands = new SideCommands({
      of: (n) => (machineCode.has(n) ? 'native' : 'script'),
      ofFile: (url) => (isObjectFile(fileURLToPath(url)) ? 'native' : 'script'),
      passed: (thread, patch, seq) =>
        void setImmediate(() => listener.told(thread, { type: 'livepatch', patch, news: 'over', seq })),
    });
    const script = this.#listenerOf('script', listener);
    this.#script = createScript({
      ...script,
      started: (thread) => this.#started(thread, listener),
      linked: (texts) => script.linked(texts.map(described)),
      loadedBefore: (text, isReached) => script.loadedBefore(described(text), isReached),
    });
    const { threads: scripts, announcements } = this.#script;
    const { threads: natives, announcements: objects } = native;
    const side = (which: Side, thread: TracedThread | undefined): TracedThread | undefined => thread && this.#side(which, thread);
    const sided =
      (which: Side) =>
      (text: AnnouncedText): AnnouncedText => ({ ...text, thread: this.#side(which, text.thread) });
    const ofScript = (cpu: number): TracedThread | undefined => side('script', scripts.get(cpu));
    this.threads = {
      get living() {
        const all = [...scripts.living.map((one) => side('script', one)!), ...natives.living.map((one) => side('native', one)!)];
        return all.sort((a, b) => a.cpu - b.cpu);
      },
      get: (cpu) => ofScript(cpu) ?? side('native', natives.get(cpu)),
      isThread: (tid) => scripts.isThread(tid),
      start() {
        natives.start();
        scripts.start();
      },
      look() {
        natives.look();
        scripts.look();
      },
    };
    this.announcements = {
      take: (areNeeded) => [
        ...announcements.take(areNeeded).map(described).map(sided('script')),
        ...objects.take(areNeeded).map(sided('native')),
      ],
      done: (thread) => (ofScript(thread.cpu) === thread ? announcements : objects).done((thread as SideThread).thread),
    };
  }

  get lacks(): ReadonlySet<PortFeature> {
    return this.#script.lacks;
  }

  get inspect(): Inspect | undefined {
    const script = this.#script.inspect;
    if (script !== undefined) this.#inspect ??= new JoinedInspect(script, () => this.#native.beginStacks());
    return this.#inspect;
  }

  get timeStamps(): TimeStampClock {
    return { ...this.#native.timeStamps, notChosen: this.#script.timeStamps.notChosen };
  }

  useCheapestClock(): void {
    this.#script.useCheapestClock?.();
  }

  get flags(): ThreadFlags {
    return this.#script.flags;
  }

  get topSwitch(): SharedArrayBuffer {
    return this.#script.topSwitch;
  }

  heardSignals(signal: number): number {
    return this.#script.heardSignals?.(signal) ?? 0;
  }

  get counter(): BigInt64Array {
    return this.#script.counter;
  }

  hasOwnSites(tid: number): boolean {
    return this.#script.threads.living.some((thread) => thread.tid === tid);
  }

  events(): readonly EventDefinition[] {
    return this.#script.events();
  }

  allocate(bytes: number): SharedArrayBuffer {
    return this.#native.allocate(bytes);
  }

  syscallName(nr: bigint): string | undefined {
    return this.#script.syscallName(nr);
  }

  canMeasureStacks(): boolean {
    return this.#script.canMeasureStacks();
  }

  textsLoadedBefore(obeyed: () => Promise<void>): Promise<void> {
    return this.#script.textsLoadedBefore(obeyed);
  }

  createProfile(functions: number, cpu: number): ProfileCounts {
    const isScript = this.#script.threads.get(cpu) !== undefined;
    return isScript ? FunctionProfile.create(functions) : this.#native.createProfile(functions, cpu);
  }

  /** A thread as the control side sees it. */
  #side(which: Side, thread: TracedThread): SideThread {
    let known = this.#sides.get(thread);
    if (known === undefined) {
      known = new SideThread(thread, (command, own) => this.#commands.for(which, command, own));
      this.#sides.set(thread, known);
    }
    return known;
  }

  /** What a side tells, of its threads as the control side sees them. */
  #listenerOf(which: Side, listener: PortListener): PortListener {
    const side = (thread: TracedThread): TracedThread => this.#side(which, thread);
    const sided = (text: AnnouncedText): AnnouncedText => ({ ...text, thread: side(text.thread) });
    return {
      started: (thread) => listener.started(side(thread)),
      ended: (thread) => listener.ended(side(thread)),
      announced: () => listener.announced(),
      linked: (texts) => listener.linked(texts.map(sided)),
      loadedBefore: (text, isReached) => listener.loadedBefore(sided(text), isReached),
      told: (thread, event) => listener.told(side(thread), event),
    };
  }

  /** The thread takes its native cpu before anything else that it is told. */
  #started(thread: TracedThread, listener: PortListener): void {
    const joined = this.#native.join(thread);
    if (joined !== undefined) thread.post(joined.command);
    listener.started(this.#side('script', thread));
    if (joined !== undefined) listener.told(this.#side('native', joined.thread), { type: 'joined', to: thread.cpu });
  }

  /** Native text must know the functions of JavaScript whose exits it records. */
  #described(link: TextAnnouncement): TextAnnouncement {
    return {
      ...link,
      read: () => {
        const text = link.read();
        this.#native.describe(
          text.firstFunction,
          text.functions.map(({ start }) => text.base + start),
        );
        return text;
      },
    };
  }
}
