import { watchProcess } from '../realm/process-events.js';

/** Called after an event of `process`: whether it had listeners, and its arguments. */
export type AfterEvent = (heard: boolean, ...details: readonly unknown[]) => void;

/**
 * Calls functions after an event of `process`, by the event's name, when the program's own listeners have run. Listeners of
 * fentry would run before theirs, and be counted with them.
 * @returns a function that ends it
 */
export function afterEvents(followers: Readonly<Record<string, AfterEvent>>): () => void {
  const followerOf: Readonly<Record<string | symbol, AfterEvent | undefined>> = { __proto__: null as never, ...followers };
  return watchProcess({ after: (name, heard, details) => followerOf[name]?.(heard, ...details) });
}
