import type { EventDefinition } from '../events/define.js';
import type { PortFeature } from '../tracers/features.js';
import type {
  AnnouncedText,
  CreatePort,
  Port,
  PortCommand,
  PortListener,
  TextAnnouncement,
  TextAnnouncements,
  ThreadFlags,
  TracedThread,
  TracedThreads,
} from './port.js';

/** The port to a process's native text, as the port to its JavaScript stands beside it. */
export interface NativeSide extends Port {
  /** See OwnNativePort. */
  describe(firstFunction: number, addresses: readonly number[]): void;
  join(thread: TracedThread): { readonly thread: TracedThread; readonly command: PortCommand } | undefined;
}

/**
 * Two ports to one process: its JavaScript, and its native text. Functions of both are found, patched and recorded together. A thread that runs
 * both has a cpu with each; what is recorded there is shown as one.
 */
export class JoinedPort implements Port {
  readonly sharesSites = true;
  readonly threads: TracedThreads;
  readonly announcements: TextAnnouncements;
  readonly #script: Port;
  readonly #native: NativeSide;

  constructor(createScript: CreatePort, createNative: (listener: PortListener) => NativeSide, listener: PortListener) {
    const described = (text: AnnouncedText): AnnouncedText => ({ ...text, link: this.#described(text.link) });
    this.#native = createNative(listener);
    this.#script = createScript({
      ...listener,
      started: (thread) => this.#started(thread, listener),
      linked: (texts) => listener.linked(texts.map(described)),
      linkedEarly: (text, isReached) => listener.linkedEarly(described(text), isReached),
    });
    const { threads: scripts, announcements } = this.#script;
    const { threads: natives, announcements: objects } = this.#native;
    const ofScript = (cpu: number): TracedThread | undefined => scripts.get(cpu);
    this.threads = {
      get living() {
        return [...scripts.living, ...natives.living].sort((a, b) => a.cpu - b.cpu);
      },
      get: (cpu) => ofScript(cpu) ?? natives.get(cpu),
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
      take: (areNeeded) => [...announcements.take(areNeeded).map(described), ...objects.take(areNeeded)],
      done: (thread) => (ofScript(thread.cpu) === thread ? announcements : objects).done(thread),
    };
  }

  get lacks(): ReadonlySet<PortFeature> {
    return this.#script.lacks;
  }

  get readsTsc(): boolean | undefined {
    return this.#native.readsTsc;
  }

  get flags(): ThreadFlags {
    return this.#script.flags;
  }

  get topSwitch(): SharedArrayBuffer {
    return this.#script.topSwitch;
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

  earlyTexts(obeyed: () => Promise<void>): Promise<void> {
    return this.#script.earlyTexts(obeyed);
  }

  /** The thread takes its native cpu before anything else that it is told. */
  #started(thread: TracedThread, listener: PortListener): void {
    const joined = this.#native.join(thread);
    if (joined !== undefined) thread.post(joined.command);
    listener.started(thread);
    if (joined !== undefined) listener.told(joined.thread, { type: 'joined', to: thread.cpu });
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
