import { TraceError } from '../base/errno.js';
import type { FtraceFunctionOps } from './ftrace-function-ops.js';
import { FTRACE_OPS_FL, OPS_ID } from './ops.js';

/** What the control thread needs to plan for a subscriber: it resolves the words and sends this thread the patches. */
export interface SubscriberRequest {
  readonly id: number;
  /** The callback's name, for enabled_functions. */
  readonly name: string;
  /** FTRACE_OPS_FL bits. */
  readonly flags: number;
  readonly filter: readonly string[];
  readonly notrace: readonly string[];
  /** In place of words: these functions. */
  readonly functions?: readonly number[];
  /** Whether the ops are a probe's: kprobes/enabled switches it. */
  readonly isProbe?: true;
}

/** What the registry uses. Promises resolve when this thread's sites are patched, and reject with a TraceError. */
export interface SubscriberPlanner {
  addSubscriber(id: number, ops: FtraceFunctionOps): void;
  removeSubscriber(id: number): void;
  /** Plans for a subscriber again: a known one with this id is replaced. */
  subscribe(request: SubscriberRequest): Promise<void>;
  unsubscribe(id: number): Promise<void>;
}

/** Words of a filter, as a program passes them: separated by white space, or an array. */
export type FilterWords = string | readonly string[];

interface Registration {
  readonly id: number;
  filter: readonly string[];
  notrace: readonly string[];
  /** Resolves when the last request is done, or was refused. */
  settled: Promise<unknown>;
}

/** The words of a filter. */
export const wordsOf = (words: FilterWords | undefined): readonly string[] =>
  (typeof words === 'string' ? words.split(/\s+/) : [...(words ?? [])]).filter((word) => word !== '');

/**
 * The subscribers that the program of one thread registered (register_ftrace_function and ftrace_set_filter,
 * Documentation/trace/ftrace-uses.rst).
 */
export class FtraceRegistry {
  readonly #planner: SubscriberPlanner;
  readonly #registered = new Map<FtraceFunctionOps, Registration>();
  #nextId: number = OPS_ID.FIRST_SUBSCRIBER;

  constructor(planner: SubscriberPlanner) {
    this.#planner = planner;
  }

  /**
   * Makes the functions that `ops` filters call `ops.func`, from some time before the promise resolves.
   * @throws TraceError EINVAL without `func` or for a filter that matches nothing, EBUSY if it is already registered
   */
  async register(ops: FtraceFunctionOps): Promise<void> {
    if (typeof ops?.func !== 'function') throw new TraceError('EINVAL', 'ops.func is not a function');
    if (this.#registered.has(ops)) throw new TraceError('EBUSY', 'these ops are already registered');
    const words = { filter: wordsOf(ops.filter), notrace: wordsOf(ops.notrace) };
    const registration: Registration = { id: this.#nextId--, ...words, settled: Promise.resolve() };
    this.#registered.set(ops, registration);
    this.#planner.addSubscriber(registration.id, ops);
    const planned = this.#planner.subscribe(request(ops, registration));
    registration.settled = planned.catch(() => {});
    try {
      await planned;
    } catch (error) {
      if (this.#registered.get(ops) === registration) this.#drop(ops, registration.id);
      throw error;
    }
  }

  /**
   * Ends it: after this has returned, the callbacks are not called any more; when the promise resolves, the sites are NOPs.
   * @throws TraceError EBUSY when it is not registered
   */
  async unregister(ops: FtraceFunctionOps): Promise<void> {
    const { id } = this.#find(ops);
    this.#drop(ops, id);
    await this.#planner.unsubscribe(id);
  }

  /**
   * Changes which functions call it (ftrace_set_filter): adds `words`, or with `reset` replaces the old ones; no words and
   * `reset`: every function.
   * @throws TraceError EBUSY when it is not registered, EINVAL if a word matches nothing; then nothing changes
   */
  setFilter(ops: FtraceFunctionOps, words: FilterWords, reset = false): Promise<void> {
    return this.#change(ops, 'filter', words, reset);
  }

  /** Sets the functions that must not call it; these win (ftrace_set_notrace). */
  setNotrace(ops: FtraceFunctionOps, words: FilterWords, reset = false): Promise<void> {
    return this.#change(ops, 'notrace', words, reset);
  }

  /** Removes a subscriber that threw: it is not called any more, and its sites become NOPs. */
  failed(ops: FtraceFunctionOps): void {
    const registration = this.#registered.get(ops);
    if (registration === undefined) return;
    this.#drop(ops, registration.id);
    this.#planner.unsubscribe(registration.id).catch(() => {});
  }

  async #change(ops: FtraceFunctionOps, which: 'filter' | 'notrace', words: FilterWords, reset: boolean): Promise<void> {
    const registration = this.#find(ops);
    // One after the other: a refused change removes its words, and must not remove those of a later change.
    const changed = registration.settled.then(async () => {
      if (this.#registered.get(ops) !== registration) throw notRegistered();
      const before = registration[which];
      registration[which] = [...(reset ? [] : before), ...wordsOf(words)];
      try {
        await this.#planner.subscribe(request(ops, registration));
      } catch (error) {
        registration[which] = before;
        throw error;
      }
    });
    registration.settled = changed.catch(() => {});
    return changed;
  }

  #find(ops: FtraceFunctionOps): Registration {
    const registration = this.#registered.get(ops);
    if (registration === undefined) throw notRegistered();
    return registration;
  }

  #drop(ops: FtraceFunctionOps, id: number): void {
    this.#registered.delete(ops);
    this.#planner.removeSubscriber(id);
  }
}

const notRegistered = (): TraceError => new TraceError('EBUSY', 'these ops are not registered');

function request(ops: FtraceFunctionOps, { id, filter, notrace }: Registration): SubscriberRequest {
  const flags = (ops.saveRegs === true ? FTRACE_OPS_FL.SAVE_REGS : 0) | (ops.exit === undefined ? 0 : FTRACE_OPS_FL.EXIT);
  return { id, name: ops.func.name || 'anonymous', flags, filter, notrace };
}
