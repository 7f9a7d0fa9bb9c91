import { type Errno, TraceError } from '../../base/errno.js';
import { kstrtoul } from '../../base/kstrto.js';
import type { FilteredEvent } from '../filter/operand.js';
import { parseFilter } from '../filter/parse-filter.js';
import type { FilterProgram } from '../filter/predicate.js';
import { TRIGGERS, type TriggerCommand, type TriggerName } from './trigger-commands.js';

/** The event that a trigger switches. */
export interface TriggerTarget {
  readonly system: string;
  readonly event: string;
}

/** A trigger of an event, but for `hist`. Plain data. */
export interface Trigger {
  readonly name: Exclude<TriggerName, 'hist'>;
  /** How often it acts; below 0 always. */
  readonly count: number;
  readonly target?: TriggerTarget;
  readonly filter?: { readonly text: string; readonly program: FilterProgram };
}

/** What was written into `trigger`. */
export type TriggerWrite =
  | { readonly action: 'add'; readonly trigger: Trigger }
  /** The trigger with the type of `name`, and the target, if there is one: its count and its filter do not matter. */
  | { readonly action: 'remove'; readonly name: Trigger['name']; readonly target?: TriggerTarget }
  /** `params` is what stands behind `hist:`, its filter included. */
  | { readonly action: 'add-hist' | 'remove-hist'; readonly params?: string };

/** The event whose `trigger` is written, and the events of the instance that a trigger may switch. */
export interface TriggerScope {
  readonly event: FilteredEvent;
  /** Group ftrace has none of these. */
  hasEvent(target: TriggerTarget): boolean;
}

/**
 * Why a trigger is refused. Only `hist` has its refusals in error_log; a filter is refused with the errno that it has in
 * `filter`.
 */
const ERRORS = {
  unknown: ['EINVAL', 'no such trigger'],
  noTarget: ['EINVAL', 'the trigger needs :SYSTEM:EVENT'],
  unknownTarget: ['EINVAL', 'no such event'],
  noCount: ['EINVAL', 'no count behind the colon'],
  noFilter: ['EINVAL', 'what follows a trigger is "if" and a filter'],
} as const satisfies Readonly<Record<string, readonly [errno: Errno, message: string]>>;

function error(kind: keyof typeof ERRORS): TraceError {
  const [errno, message] = ERRORS[kind];
  return new TraceError(errno, message);
}

/** Splits at the first of some characters; the second part is undefined without one. */
const split = (text: string, separators: RegExp): [first: string, rest: string | undefined] => {
  const at = text.search(separators);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
};

/**
 * Parses one write into an event's `trigger`: `[!]NAME[:SYSTEM:EVENT][:COUNT] [if FILTER]`, with white space for the first colon
 * if one likes. A removal of a known trigger is never refused, but one of an unknown event.
 * @throws TraceError
 */
export function parseTrigger(written: string, scope: TriggerScope): TriggerWrite {
  const [word, behind] = split(written.trim(), /[: \t]/);
  const isRemoval = word.startsWith('!');
  const name = isRemoval ? word.slice(1) : word;
  if (!Object.hasOwn(TRIGGERS, name)) throw error('unknown');
  const rest = behind?.trimStart() || undefined;
  if (name === 'hist') {
    return { action: isRemoval ? 'remove-hist' : 'add-hist', ...(rest === undefined ? {} : { params: rest }) };
  }
  const known = name as Trigger['name'];
  const { target, count, condition } = parametersOf(known, rest, scope);
  const named = { name: known, ...(target === undefined ? {} : { target }) };
  if (isRemoval) return { action: 'remove', ...named };
  const trigger = { ...named, count: count === undefined ? -1 : countOf(count) };
  if (condition === undefined) return { action: 'add', trigger };
  return { action: 'add', trigger: { ...trigger, filter: filterOf(condition, scope) } };
}

interface Parameters {
  readonly target?: TriggerTarget;
  readonly count?: string | undefined;
  readonly condition?: string | undefined;
}

/** Only a trigger that names an event has anything but a number before `if`. */
function parametersOf(name: Trigger['name'], text: string | undefined, scope: TriggerScope): Parameters {
  const { namesEvent = false }: TriggerCommand = TRIGGERS[name];
  if (!namesEvent && (text === undefined || !/^\d/.test(text))) return { condition: text };
  if (text === undefined) throw error('noTarget');
  const [parameters, rest] = split(text, /[ \t]/);
  const condition = rest?.trimStart() || undefined;
  if (!namesEvent) return { count: parameters, condition };
  const [system, named] = split(parameters, /:/);
  if (named === undefined) throw error('noTarget');
  const [event, count] = split(named, /:/);
  if (!scope.hasEvent({ system, event })) throw error('unknownTarget');
  return { target: { system, event }, count, condition };
}

/** A count as the kernel's long: 2^64-1 is -1. What a number cannot hold is as good as always. */
function countOf(text: string): number {
  const [digits] = split(text, /:/);
  if (digits === '') throw error('noCount');
  return Number(BigInt.asIntN(64, kstrtoul(digits)));
}

function filterOf(condition: string, { event }: TriggerScope): { text: string; program: FilterProgram } {
  const [word, text] = split(condition, /[ \t]/);
  if (word !== 'if' || text === undefined) throw error('noFilter');
  return { text, program: parseFilter(event, text) };
}
