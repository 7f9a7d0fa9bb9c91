import { asTraceError, TraceError } from '../../base/errno.js';
import type { LivepatchChange, LivepatchState, PatchedModule } from '../../ftrace/tracers/diversions.js';
import type { Port, TracedThread } from '../../port/port.js';
import type { ProcessPlaces } from '../ftrace/process-places.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { TextTable } from '../ftrace/text-table.js';
import type { LivepatchFunction, ResolvedFunction } from './livepatch-functions.js';

/** What live patches need of the process. */
export interface LivepatchProcess {
  readonly port: Pick<Port, 'machineCode'>;
  readonly tracer: ProcessTracer;
  readonly table: TextTable;
  readonly places: Pick<ProcessPlaces, 'sourceOf'>;
  readonly threads: {
    readonly living: readonly TracedThread[];
    /** Looks for threads that have ended. */
    look(): void;
  };
  /** Resolves when every thread has done what it was told. */
  obeyed(): Promise<void>;
  /** Reports what could not be done. */
  warn(message: string, about: string): void;
}

/** The callback by which enabled_functions names a patch. */
export const CALLBACK = 'klp_ftrace_handler';
/** The name of a patch as the owner of its functions. */
export const ownerName = (name: string): string => `live patch ${name}`;

/** Milliseconds between two looks at a transition. */
const TRY_AGAIN = 1000;

/** A live patch (struct klp_patch): its transition is over when that of each thread is. */
export class Livepatch {
  readonly name: string;
  readonly functions: readonly LivepatchFunction[];
  /** Called when its state changes. */
  onChanged: () => void = () => {};
  readonly #process: LivepatchProcess;
  readonly #number: number;
  readonly #load: LivepatchChange;
  readonly #resolved: readonly ResolvedFunction[];
  readonly #modules: readonly PatchedModule[];
  readonly #removed: () => void;
  /** The cpus whose threads have not gone over yet. */
  readonly #waiting = new Set<number>();
  #unreached: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #enabled = false;
  #isGone = false;
  #seq = 0;

  constructor(
    process: LivepatchProcess,
    number: number,
    name: string,
    load: LivepatchChange,
    resolved: readonly ResolvedFunction[],
    modules: readonly PatchedModule[],
    removed: () => void,
  ) {
    this.#process = process;
    this.#number = number;
    this.name = name;
    this.functions = resolved.map(({ listed }) => listed);
    this.#load = load;
    this.#resolved = resolved;
    this.#modules = modules;
    this.#removed = removed;
  }

  /** What it is, or becomes when its transition is over. */
  get enabled(): boolean {
    return this.#enabled;
  }

  get inTransition(): boolean {
    return this.#waiting.size > 0;
  }

  get state(): LivepatchState {
    const functions = this.functions.map(({ object, name, sympos }) => `${object}/${name},${sympos}`);
    return { enabled: this.#enabled, transition: this.inTransition, isGone: this.#isGone, functions };
  }

  /**
   * Patches the functions, which run their own code until the patch is enabled.
   * @throws TraceError EINVAL if a thread cannot reach the variables that the patch needs, or its sites, or the reason why no
   *   site can be changed: then it is removed; ETIMEDOUT as TracedProcess.obeyed
   */
  async prepare(): Promise<void> {
    const { tracer } = this.#process;
    tracer.diversions.tell(this.#patching());
    this.#own([this.#load, this.#patching()]);
    tracer.patch();
    const refused = await this.#process.obeyed().then(
      () => undefined,
      (error: unknown) => asTraceError(error),
    );
    if (this.#unreached !== undefined) this.#remove();
    const why = refused ?? (this.#unreached === undefined ? undefined : new TraceError('EINVAL', this.#unreached));
    if (why !== undefined) throw why;
  }

  async setEnabled(enabled: boolean): Promise<void> {
    const isPrepared = this.#seq === 0;
    if (enabled === this.#enabled && !isPrepared) {
      throw new TraceError('EINVAL', `live patch ${this.name} is ${enabled ? 'enabled' : 'disabled'}`);
    }
    this.#enabled = enabled;
    this.#seq++;
    this.#waiting.clear();
    for (const { cpu } of this.#process.threads.living) this.#waiting.add(cpu);
    this.#watch();
    const going = this.#going();
    this.#own([this.#load, this.#patching(), going]);
    this.#process.tracer.diversions.tell(going);
    this.onChanged();
    await this.#process.obeyed();
  }

  async force(): Promise<void> {
    if (!this.inTransition) throw new TraceError('EINVAL', `live patch ${this.name} is not in transition`);
    this.#process.tracer.diversions.tell({ type: 'livepatch', patch: this.#number, change: 'force' });
    await this.#process.obeyed();
  }

  /** The thread on a cpu has gone over. */
  over(cpu: number, seq: number): void {
    if (seq !== this.#seq) return;
    this.#waiting.delete(cpu);
    this.#changed();
  }

  /** The thread on a cpu cannot reach variables that the new code needs. */
  unreached(cpu: number, message: string): void {
    this.#unreached = message;
    if (this.#enabled) this.#waiting.add(cpu);
    this.onChanged();
  }

  /** A thread that starts runs the old code until it has loaded the file. */
  addThread({ cpu }: TracedThread): void {
    if (this.#seq === 0) return;
    this.#waiting.add(cpu);
    this.#watch();
    this.onChanged();
  }

  removeThread(cpu: number): void {
    if (this.#waiting.delete(cpu)) this.#changed();
  }

  /** A thread that is terminated while it waits does not say so (klp_transition_work_fn looks every second, too). */
  #watch(): void {
    const { threads } = this.#process;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      threads.look();
      if (!this.inTransition) clearInterval(this.#timer);
    }, TRY_AGAIN).unref();
  }

  #changed(): void {
    this.#finish();
    this.onChanged();
  }

  #finish(): void {
    if (this.#enabled || this.inTransition || this.#seq === 0) return;
    this.#remove();
    this.#process.obeyed().catch(() => {});
  }

  #remove(): void {
    const { tracer } = this.#process;
    tracer.diversions.delete(ownerName(this.name));
    tracer.patch();
    tracer.diversions.tell({ type: 'livepatch', patch: this.#number, change: 'remove' });
    this.#isGone = true;
    this.#removed();
  }

  #own(changes: readonly LivepatchChange[]): void {
    const functions = this.#resolved.map(({ patched }) => patched.n);
    this.#process.tracer.diversions.set(ownerName(this.name), CALLBACK, functions, changes);
  }

  #patching(): LivepatchChange {
    const functions = this.#resolved.map(({ patched }) => patched);
    return { type: 'livepatch', patch: this.#number, change: 'patch', functions, modules: this.#modules };
  }

  #going(): LivepatchChange {
    const change = this.#enabled ? 'enable' : 'disable';
    return { type: 'livepatch', patch: this.#number, change, seq: this.#seq };
  }
}
