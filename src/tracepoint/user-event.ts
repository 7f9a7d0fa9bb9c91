import { declaredTracepoints, type EventParts } from './declared.js';
import { defineTrace } from './define-trace.js';
import { failure } from './failure.js';
import { parseUserEvent } from './parse-user-event.js';
import type { Tracepoint } from './tracepoint.js';

/** The system of events that are described as text. */
const SYSTEM = 'user_events';

/** A user event: called with the values of its fields, in their order. */
export type UserEvent = Tracepoint<readonly unknown[]>;

const shapeOf = ({ fields }: Pick<EventParts, 'fields'>): string =>
  JSON.stringify(Object.entries(fields).map(([name, { type, shape, count }]) => [name, type, shape, count]));

/**
 * Registers an event that a text describes, such as `order u32 id; char[20] customer`: `NAME [TYPE FIELD[;TYPE FIELD]...]`. With
 * fentry loaded it is events/user_events/NAME. The kernel's user_events (Documentation/trace/user_events.rst).
 * @returns writes a record while somebody listens. The same event if it is registered already
 * @throws Error with code EINVAL for a description that is none, EADDRINUSE if there is an event of that name with other fields
 */
export function registerUserEvent(description: string): UserEvent {
  const { name, ...parts } = parseUserEvent(description);
  const known = declaredTracepoints().find(({ tracepoint }) => tracepoint.system === SYSTEM && tracepoint.event === name);
  if (known === undefined) {
    const args = Object.keys(parts.fields).map((_field, i) => `value${i}`);
    return defineTrace<readonly unknown[]>(SYSTEM, name, { args, ...parts } as { readonly args: readonly string[] });
  }
  if (known.parts === undefined || shapeOf(known.parts) !== shapeOf(parts as EventParts))
    throw failure('EADDRINUSE', `there is a user event ${name} with other fields`);
  return known.tracepoint as unknown as UserEvent;
}
