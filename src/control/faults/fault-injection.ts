import type { FAULT_WORD } from '../../ftrace/tracers/diversions.js';

/** What fail_function's files have (struct fault_attr). */
export type FaultAttribute = keyof Omit<typeof FAULT_WORD, 'COUNT'>;

/** A function that is made to fail. */
export interface InjectedFunction {
  /** As available_filter_functions lists it: a name, and the package in brackets. */
  readonly name: string;
  readonly retval: string;
  readonly condition: string;
}

/** Error injection into functions (kernel/fail_function.c, lib/fault-inject.c). */
export interface FaultInjection {
  /** TIMES and SPACE are numbers of 32 bits with a sign, the others of 64 without. */
  get(attribute: FaultAttribute): bigint;
  set(attribute: FaultAttribute, value: bigint): void;
  readonly injected: readonly InjectedFunction[];
  /**
   * Makes the functions of this name fail.
   * @throws TraceError EINVAL for an unknown name, ERANGE if it cannot be made to fail, EBUSY if it is made to already or is
   * replaced otherwise
   */
  inject(name: string): Promise<void>;
  /** @throws TraceError ENOENT if it is not made to fail */
  remove(name: string): Promise<void>;
  removeAll(): Promise<void>;
  /**
   * Sets what it throws or returns, or when.
   * @throws TraceError EINVAL if the text is no JavaScript, with the parser's message
   */
  change(name: string, what: Partial<Pick<InjectedFunction, 'retval' | 'condition'>>): Promise<void>;
}
