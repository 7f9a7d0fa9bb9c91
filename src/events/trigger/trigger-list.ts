import { TraceError } from '../../base/errno.js';
import type { Trigger, TriggerTarget } from './parse-trigger.js';
import { TRIGGERS } from './trigger-commands.js';

type Named = Pick<Trigger, 'name' | 'target'>;

const isSame = (a: Named, b: Named): boolean =>
  TRIGGERS[a.name].type === TRIGGERS[b.name].type && isSameEvent(a.target, b.target);

const isSameEvent = (a: TriggerTarget | undefined, b: TriggerTarget | undefined): boolean =>
  a?.system === b?.system && a?.event === b?.event;

/**
 * Adds a trigger to those of an event, before the others. Those of type `hist` are a list of their own, which is shown behind
 * this one in the order in which they came. Opening the file with `>` removes only these.
 * @throws TraceError EEXIST if the event has one of its type already: `traceon` and `traceoff` exclude each other
 */
export function addTrigger<T extends Trigger>(triggers: readonly T[], trigger: T): readonly T[] {
  if (triggers.some((one) => isSame(one, trigger))) throw new TraceError('EEXIST', 'the event has such a trigger');
  return [trigger, ...triggers];
}

/** The trigger that a removal means: `!traceon` also a `traceoff`. */
export function triggerToRemove<T extends Trigger>(triggers: readonly T[], removal: Named): T | undefined {
  return triggers.find((one) => isSame(one, removal));
}

/** A line of `trigger`; `left` is how often it still acts. */
export function triggerLine({ name, target, filter, count }: Trigger, left = count): string {
  const event = target === undefined ? '' : `:${target.system}:${target.event}`;
  const times = left === -1 ? 'unlimited' : `count=${BigInt(left)}`;
  return `${name}${event}:${times}${filter === undefined ? '' : ` if ${filter.text}`}\n`;
}
