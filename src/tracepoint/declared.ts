import type { TraceField } from './fields.js';
import type { Tracepoint, TracepointOptions } from './tracepoint.js';

/** What an event has besides its tracepoint. */
export interface EventParts {
  /** By name, in the order of the record. */
  readonly fields: Readonly<Record<string, TraceField<never>>>;
  /** The text after `print fmt: ` of its format file. */
  readonly print: string;
}

/** A tracepoint as fentry finds it. */
export interface DeclaredTracepoint {
  readonly tracepoint: Tracepoint;
  readonly args: readonly string[];
  /** Absent for a tracepoint without an event. */
  readonly parts: EventParts | undefined;
}

interface Declared {
  all: DeclaredTracepoint[];
  listener: ((one: DeclaredTracepoint) => void) | undefined;
}

/** Shared by all copies of this module in a thread, and with fentry, whichever comes first. */
const KEY = Symbol.for('fentry.tracepoints');

/** Where it is kept: not on the global object, whose keys programs compare; in a browser there is no other place. */
const HOLDER: object = globalThis.process ?? globalThis;

function shared(): Declared {
  const own = Object.getOwnPropertyDescriptor(HOLDER, KEY)?.value as Declared | undefined;
  if (own !== undefined) return own;
  const value: Declared = { all: [], listener: undefined };
  Object.defineProperty(HOLDER, KEY, { value, configurable: true });
  return value;
}

/** Makes a tracepoint known to fentry, if it is there, or once it comes. */
export function declare(tracepoint: Tracepoint, options: TracepointOptions<readonly never[]> & Partial<EventParts>): void {
  const { fields, print } = options;
  const parts = fields === undefined || print === undefined ? undefined : { fields, print };
  const one = { tracepoint, args: options.args as readonly string[], parts };
  const { all, listener } = shared();
  all.push(one);
  listener?.(one);
}

/** The tracepoints of this thread. */
export const declaredTracepoints = (): readonly DeclaredTracepoint[] => shared().all;

/**
 * Calls `listener` with all tracepoints of this thread, those that come later too. Called by fentry.
 * @returns ends that, and takes back the tracepoints that are fentry's own: nothing is left unless the program has some
 */
export function listenToTracepoints(
  listener: (one: DeclaredTracepoint) => void,
): (isOwn: (one: DeclaredTracepoint) => boolean) => void {
  const declared = shared();
  declared.listener = listener;
  declared.all.forEach(listener);
  return (isOwn) => {
    declared.listener = undefined;
    declared.all = declared.all.filter((one) => !isOwn(one));
    if (declared.all.length === 0) Reflect.deleteProperty(HOLDER, KEY);
  };
}
