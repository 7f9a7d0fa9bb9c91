import { TraceError } from '../../base/errno.js';
import type { Kprobe, KprobeOptions, KretprobeOptions, RegisteredProbe } from './kprobe.js';
import type { FoundKprobe, KprobePlanner } from './kprobe-planner.js';

/** Where probes are called from: sites, or a breakpoint. */
export interface ProbeHost {
  /** Asks for what its probes need now, and gives back the rest. Resolves when that is done. */
  arrange(): Promise<void>;
  /** The probe has left it. */
  leave(probe: ProgramProbe): void;
}

/** A probe of the program: whether it is on, and how often it was missed. */
export class ProgramProbe implements RegisteredProbe {
  readonly id: number;
  readonly #planner: Pick<KprobePlanner, 'setState' | 'failed'>;
  #host: ProbeHost | undefined;
  #isEnabled: boolean;
  #isGone = false;
  missed = 0;

  constructor(id: number, isEnabled: boolean, planner: Pick<KprobePlanner, 'setState' | 'failed'>) {
    this.id = id;
    this.#isEnabled = isEnabled;
    this.#planner = planner;
  }

  get isEnabled(): boolean {
    return this.#isEnabled && !this.#isGone;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Tells the probe that it has its place. */
  joined(host: ProbeHost): Promise<void> {
    this.#host = host;
    return host.arrange();
  }

  async enable(): Promise<void> {
    if (this.#isGone) throw new TraceError('EINVAL', 'this probe is gone');
    await this.#switch(true);
  }

  async disable(): Promise<void> {
    if (this.#isGone) throw new TraceError('EINVAL', 'this probe is gone');
    await this.#switch(false);
  }

  async unregister(): Promise<void> {
    if (!this.#isGone) await this.end();
  }

  /** Ends the probe: no handler is called any more. */
  end(): Promise<void> {
    this.#isGone = true;
    this.#planner.setState(this.id, 'gone');
    this.#host?.leave(this);
    return this.#host?.arrange() ?? Promise.resolve();
  }

  /** Calls a handler: what it throws ends the probe, and goes no further. */
  call<T>(handler: () => T): T | undefined {
    try {
      return handler();
    } catch (error) {
      this.end().catch(() => {});
      this.#planner.failed(error);
      return undefined;
    }
  }

  async #switch(isEnabled: boolean): Promise<void> {
    if (this.#isEnabled === isEnabled) return;
    this.#isEnabled = isEnabled;
    this.#planner.setState(this.id, isEnabled ? 'enabled' : 'disabled');
    await this.#host?.arrange();
  }
}

/** A kprobe or kretprobe at a point. */
export interface KprobeMember {
  readonly probe: ProgramProbe & Kprobe;
  readonly kprobe?: KprobeOptions;
  readonly kretprobe?: KretprobeOptions;
  /** The names of `kprobe.variables`. */
  readonly variables: readonly string[];
}

/** The kprobes of the program that share one place. */
export interface KprobePoint extends ProbeHost {
  /** @param found what was found for this one. Resolves when it is called. */
  join(member: KprobeMember, found: FoundKprobe): Promise<void>;
  /** While they are halted (kprobes/enabled) nothing stands there. */
  halt(isHalted: boolean): void;
}
