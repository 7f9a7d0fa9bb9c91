import { C_TYPES } from '../../../events/c-types.js';
import { defineEvent, type TraceEvent } from '../../../events/define.js';
import { printedText } from '../../../events/print/printed-text.js';
import { recordOf } from '../../../events/record-of.js';
import { traceClock } from '../../../ring-buffer/index.js';
import { type DeclaredTracepoint, listenToTracepoints } from '../../../tracepoint/declared.js';
import type { TraceField } from '../../../tracepoint/fields.js';
import { listenToWakeups } from '../../async/wakeups.js';
import { eventTime } from '../../events/event-time.js';
import { cutText } from '../../events/text-bytes.js';
import { fieldSpecs } from '../field-specs.js';
import type { NodeEventSystem, SourceThread } from '../node-event-system.js';
import { TEST_THREAD } from './event-log.js';

/** An event that happened. */
export interface HeardEvent {
  readonly name: string;
  /** What it prints, functions as their names. */
  readonly text: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** When it happened, in nanoseconds of the trace clock. */
  readonly at: number;
}

let behind = 0;

/** The thread's clock is so many nanoseconds behind from now on. */
export function setClockBehind(ns: number): void {
  behind = ns;
}

/** The thread of the tests. */
const THREAD: SourceThread = {
  ...TEST_THREAD,
  clock: () => traceClock() - behind,
  listenToWakeups: (listener) => listenToWakeups(traceClock, listener),
};

const declared = new Set<string>();
const known: DeclaredTracepoint[] = [];
listenToTracepoints((one) => known.push(one));

function printer({ tracepoint, parts }: DeclaredTracepoint): (values: Record<string, unknown>) => string {
  const { fields, print } = parts!;
  const definition = defineEvent(tracepoint.system, tracepoint.event, { fields: fieldSpecs(fields), print });
  const event: TraceEvent = { ...definition, id: 1 };
  return (values) => {
    const names: string[] = [];
    const fitted = Object.entries<TraceField<never>>(fields).map(([name, { type, shape, count, isFunction }]) => {
      const value = values[name];
      if (isFunction === true) return [name, typeof value === 'function' ? names.push(value.name) : 0];
      if (type === 'char') return [name, shape === 'array' ? cutText(String(value), count) : String(value)];
      return [name, C_TYPES[type as keyof typeof C_TYPES].size < 8 ? Number(value) : value];
    });
    const bytes = recordOf(event, { pid: 1 }, Object.fromEntries(fitted) as never);
    const dialect = {
      symbol: (address: unknown) => names[Number(address) - 1] ?? String(address),
      pointer: (bits: bigint) => `0x${bits.toString(16)}`,
      array: String,
    };
    return printedText(event, dialect as never)({ bytes, at: 0, size: bytes.length } as never);
  };
}

/** Enables events of a system and collects them. @returns what happened so far, and a function that disables them again */
export function hear(
  system: NodeEventSystem,
  names: readonly string[],
): { readonly heard: HeardEvent[]; readonly stop: () => void } {
  if (!declared.has(system.system)) system.declare(THREAD);
  declared.add(system.system);
  const heard: HeardEvent[] = [];
  const undos = names.map((name) => {
    const one = known.find(({ tracepoint }) => tracepoint.system === system.system && tracepoint.event === name)!;
    const text = printer(one);
    const fields = one.parts!.fields as unknown as Record<string, TraceField<never[]>>;
    const probe = (...args: never[]): void => {
      const at = eventTime.at || traceClock();
      const values: Record<string, unknown> = {};
      for (const [field, { get }] of Object.entries(fields)) values[field] = get(...args);
      heard.push({
        name,
        at,
        values,
        get text() {
          return text(values);
        },
      });
    };
    one.tracepoint.registerProbe(probe as never);
    return () => one.tracepoint.unregisterProbe(probe as never);
  });
  return {
    heard,
    stop() {
      for (const undo of undos) undo();
    },
  };
}
