import { compileFunction } from 'node:vm';
import { TraceError } from '../../base/errno.js';
import { FAULT_WORD, type FaultChange } from '../../ftrace/tracers/diversions.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { TextTable } from '../ftrace/text-table.js';
import { whyKept } from '../ftrace/why-kept.js';

/** What fail_function's files have (struct fault_attr). */
export type FaultAttribute = keyof Omit<typeof FAULT_WORD, 'COUNT'>;

/** A function that is made to fail. */
export interface InjectedFunction {
  /** The function as available_filter_functions lists it: a name, and the package in brackets. */
  readonly name: string;
  readonly retval: string;
  readonly condition: string;
}

/** The callback by which enabled_functions names the owner. */
const CALLBACK = 'fei_kprobe_handler';
const WORDS = Object.keys(FAULT_WORD).length;
/** DECLARE_FAULT_ATTR */
const DEFAULTS = { INTERVAL: 1n, TIMES: 1n, VERBOSE: 2n } as const;
/** Attributes that are an atomic_t. */
const SIGNED: ReadonlySet<FaultAttribute> = new Set(['TIMES', 'SPACE']);
const LARGEST_WORD = 0x7fff_ffffn;

interface Injected extends InjectedFunction {
  readonly functions: readonly number[];
}

const ownerOf = (name: string): string => `fail_function: ${name}`;

/** Error injection into functions (kernel/fail_function.c, lib/fault-inject.c). */
export class FaultInjection {
  readonly #tracer: ProcessTracer;
  readonly #table: TextTable;
  readonly #obeyed: () => Promise<void>;
  readonly #isMachineCode: (n: number) => boolean;
  readonly #words = new Int32Array(new SharedArrayBuffer(WORDS * 4));
  /** Numbers that are larger than a word, which then has the largest: no call sees a difference. */
  readonly #large = new Map<FaultAttribute, bigint>();
  readonly #injected = new Map<string, Injected>();

  /**
   * @param obeyed resolves when every thread has done what it was told
   * @param isMachineCode whether a function is machine code, which no JavaScript can replace
   */
  constructor(
    tracer: ProcessTracer,
    table: TextTable,
    obeyed: () => Promise<void>,
    isMachineCode: (n: number) => boolean = () => false,
  ) {
    this.#isMachineCode = isMachineCode;
    this.#tracer = tracer;
    this.#table = table;
    this.#obeyed = obeyed;
    for (const [word, value] of Object.entries(DEFAULTS)) this.set(word as FaultAttribute, value);
  }

  /** A setting: TIMES and SPACE are numbers of 32 bits with a sign, the others of 64 without. */
  get(attribute: FaultAttribute): bigint {
    return this.#large.get(attribute) ?? BigInt(Atomics.load(this.#words, FAULT_WORD[attribute]));
  }

  set(attribute: FaultAttribute, value: bigint): void {
    const isLarge = !SIGNED.has(attribute) && value > LARGEST_WORD;
    if (isLarge) this.#large.set(attribute, value);
    else this.#large.delete(attribute);
    Atomics.store(this.#words, FAULT_WORD[attribute], Number(isLarge ? LARGEST_WORD : BigInt.asIntN(32, value)));
  }

  get injected(): readonly InjectedFunction[] {
    return [...this.#injected.values()];
  }

  /**
   * Makes the functions of this name fail.
   * @throws TraceError EINVAL for an unknown name, ERANGE if it cannot be made to fail, EBUSY if it is made to already or is
   * replaced otherwise
   */
  async inject(name: string): Promise<void> {
    if (this.#injected.has(name)) throw new TraceError('EBUSY', `${name} is injected already`);
    const functions = this.#functionsOf(name);
    for (const n of functions) {
      const owner = this.#tracer.diversions.ownerOf(n);
      if (owner !== undefined) throw new TraceError('EBUSY', `${name} has an owner that may replace it: ${owner}`);
    }
    const retval = `throw new Error(${JSON.stringify(`fail_function: ${name}`)})`;
    await this.#put({ name, functions, retval, condition: '' });
  }

  /** @throws TraceError ENOENT if it is not made to fail */
  async remove(name: string): Promise<void> {
    const one = this.#injected.get(name);
    if (one === undefined) throw new TraceError('ENOENT', `${name} is not injected`);
    this.#injected.delete(name);
    const { functions } = one;
    this.#tracer.diversions.delete(ownerOf(name));
    this.#tracer.patch();

    this.#tracer.diversions.tell({ type: 'no fault', functions });
    await this.#obeyed();
  }

  async removeAll(): Promise<void> {
    for (const name of [...this.#injected.keys()]) await this.remove(name);
  }

  /**
   * Sets what it throws or returns, or when.
   * @throws TraceError EINVAL if the text is no JavaScript, with the parser's message
   */
  async change(name: string, what: Partial<Pick<InjectedFunction, 'retval' | 'condition'>>): Promise<void> {
    const before = this.#injected.get(name);
    if (before === undefined) throw new TraceError('ENOENT');
    for (const text of Object.values(what)) check(text);
    await this.#put({ ...before, ...what });
  }

  async #put(one: Injected): Promise<void> {
    const { name, functions, retval, condition } = one;
    this.#injected.set(name, one);
    const change: FaultChange = {
      type: 'fault',
      functions: functions.map((n) => ({ n, params: this.#table.function(n).params })),
      memory: this.#words.buffer as SharedArrayBuffer,
      retval,
      condition,
    };
    this.#tracer.diversions.set(ownerOf(name), CALLBACK, functions, [change]);
    this.#tracer.diversions.tell(change);
    this.#tracer.patch();
    await this.#obeyed();
  }

  #functionsOf(name: string): readonly number[] {
    const [, symbol, module] = /^(\S+)(?: \[(.+)\])?$/.exec(name) ?? [];
    this.#tracer.decode();
    const named = symbol === undefined ? [] : this.#table.find(symbol, module);
    if (named.length === 0) throw new TraceError('EINVAL', `there is no function ${name}`);
    for (const n of named) {
      const why = this.#isMachineCode(n) ? 'it is machine code' : whyKept(this.#tracer, this.#table, n);
      if (why !== undefined) throw new TraceError('ERANGE', `${name} cannot be made to fail: ${why}`);
    }
    return named;
  }
}

/** @throws TraceError EINVAL if `text` is neither an expression nor `throw` and an expression */
function check(text: string): void {
  try {
    compileFunction(text.startsWith('throw ') || text === '' ? text : `return (${text}\n)`);
  } catch (error) {
    throw new TraceError(
      'EINVAL',
      isOwnBracket(text, error) ? `SyntaxError: the expression is not complete: ${text}` : String(error),
    );
  }
}

/** Whether V8 complains of the bracket that stands behind an expression here, and not in the text. */
const isOwnBracket = (text: string, error: unknown): boolean =>
  /Unexpected token '\)'/.test(String(error)) && text.split(')').length <= text.split('(').length;
