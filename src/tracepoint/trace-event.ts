import type { EventParts } from './declared.js';
import { defineTrace } from './define-trace.js';
import type { TraceField } from './fields.js';
import type { Tracepoint, TracepointOptions } from './tracepoint.js';

/** The declaration of an event: a tracepoint whose calls fentry can record. */
export interface TraceEventOptions<T extends readonly unknown[]> extends TracepointOptions<T> {
  /** The fields of a record, and how each is made of the arguments (TP_STRUCT__entry and TP_fast_assign). */
  readonly fields: Readonly<Record<string, TraceField<T>>>;
  /**
   * How a record prints (TP_printk): a C format in quotes, and its arguments, such as
   * `"id=%d name=%s", REC->id, __get_str(name)`.
   */
  readonly print: string;
}

/** Declares an event (TRACE_EVENT). */
export const traceEvent = <T extends readonly unknown[]>(
  system: string,
  name: string,
  options: TraceEventOptions<T>,
): Tracepoint<T> => defineTrace(system, name, options);

/** Events that have the same arguments and fields. */
export interface EventClass<T extends readonly unknown[]> {
  /** Declares an event of the class (DEFINE_EVENT); one with `print` prints in its own way (DEFINE_EVENT_PRINT). */
  event(
    system: string,
    name: string,
    own?: Partial<Pick<EventParts, 'print'>> & Omit<Partial<TracepointOptions<T>>, 'args'>,
  ): Tracepoint<T>;
}

/** Declares a class of events (DECLARE_EVENT_CLASS). */
export const eventClass = <T extends readonly unknown[]>(options: TraceEventOptions<T>): EventClass<T> => ({
  event: (system, name, own = {}) => defineTrace(system, name, { ...options, ...own }),
});
