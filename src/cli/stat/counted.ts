import type { EventRequest } from '../../events/event-request.js';
import { UsageError } from '../verb.js';

/**
 * What is counted if nothing is named: what a server does, from events whose sources cost little. Those of sched, task, irq,
 * timer, workqueue and power need an async hook, which slows promises down.
 */
const NAMES = [
  'gc:gc',
  'module:module_load',
  'cpuhp:cpuhp_enter',
  'fs:op_start',
  'net:net_dev_queue',
  'net:netif_receive_skb',
  'dns:lookup_start',
  'http:server_request_start',
  'http:client_request_start',
  'exceptions:uncaught_exception',
  'exceptions:unhandled_rejection',
  'exceptions:warning',
  'printk:console',
] as const;

/** Node's own events that `fentry stat` counts by default. */
const DEFAULT_EVENTS: readonly EventRequest[] = NAMES.map((pattern) => ({ pattern }));

/** What is to be counted. */
export interface Counted {
  /** Events by their patterns, with filters. A pattern without a colon that names no event is a function's. */
  readonly events: readonly EventRequest[];
  /** Functions, by words of set_ftrace_filter. */
  readonly functions: readonly string[];
}

/** One row: how often an event or functions were counted. */
export interface Count {
  readonly name: string;
  /** Undefined: nothing has this name. */
  readonly count: number | undefined;
}

/** Whether a word is of functions only: `h*:mod:express`. */
const isOfFunctions = (word: string): boolean => word.includes(':mod:');

/** Whether a word may be an event or a function: a name without a system. */
export const mayBeFunction = ({ pattern, filter }: EventRequest): boolean => !pattern.includes(':') && filter === undefined;

/** What -e and -l ask for; Node's own events if they ask for nothing. UsageError for a filter of functions. */
export function countedBy(requests: readonly EventRequest[], functions: readonly string[] = []): Counted {
  const ofFunctions = requests.filter(({ pattern }) => isOfFunctions(pattern));
  const filtered = ofFunctions.find(({ filter }) => filter !== undefined);
  if (filtered !== undefined) throw new UsageError(`-f '${filtered.filter}': the calls of functions have no fields to filter by`);
  if (requests.length === 0 && functions.length === 0) return { events: DEFAULT_EVENTS, functions };
  return {
    events: requests.filter(({ pattern }) => !isOfFunctions(pattern)),
    functions: [...new Set([...ofFunctions.map(({ pattern }) => pattern), ...functions])],
  };
}

/** Adds up the rows of several processes; rows keep the order in which they come first. */
export function sumOf(lists: readonly (readonly Count[])[]): readonly Count[] {
  const sums = new Map<string, number | undefined>();
  for (const { name, count } of lists.flat()) {
    const before = sums.get(name);
    sums.set(name, before === undefined ? count : before + (count ?? 0));
  }
  return Array.from(sums, ([name, count]) => ({ name, count }));
}

/** What was counted since an earlier reading. */
export const since = (counts: readonly Count[], earlier: readonly Count[]): readonly Count[] => {
  const before = new Map(earlier.map(({ name, count }) => [name, count]));
  return counts.map(({ name, count }) => ({ name, count: count === undefined ? undefined : count - (before.get(name) ?? 0) }));
};
