import { TraceError } from '../../base/errno.js';
import type { TraceClient } from '../../client/trace-client.js';
import { isSourceName } from '../../probes/source-name.js';
import { eventNameOf, freeName, GROUP, type PerfDefinition } from './perf-definition.js';
import { type ListedVariables, placeVariables, writtenOut } from './place-variables.js';

/** A definition as kprobe_events takes it. */
export interface ProbeLine {
  readonly group: string;
  readonly event: string;
  readonly line: string;
}

/** A place as the name of a file. */
export const fileOf = (place: string): string => place.replaceAll('/', '!');

/** What is at a place; undefined: it is not loaded yet, or there is no such place, which kprobe_events says. */
async function placeAt(client: TraceClient, place: string): Promise<ListedVariables | undefined> {
  try {
    return placeVariables(await client.read(`kprobes/vars/${fileOf(place)}`));
  } catch (error) {
    if (error instanceof TraceError && error.errno === 'ENOENT') return undefined;
    throw error;
  }
}

/** `FUNC`, `FUNC:LINE` */
const FUNCTION = /^([^:+%@]+)(?::\d+)?$/;

/**
 * The function that a place names, if it has no code of its own: then the place is one in each function into which it was
 * inlined.
 */
function inlinedName(place: string, { symbol }: ListedVariables): string | undefined {
  const [, name] = FUNCTION.exec(place) ?? [];
  return name === undefined || name === symbol || isSourceName(name) ? undefined : name;
}

/** The place as kprobe_events takes it: a function of one of several files, or a line of a package's one, is an address. */
function placeOf(place: string, found: ListedVariables): string {
  const { symbol, address } = found;
  if (inlinedName(place, found) !== undefined) return place;
  const isPlain = place.startsWith(symbol) && !place.slice(symbol.length).startsWith('@');
  const isLine = /:\d+$/.test(place) && !place.includes('@');
  const ofPackage = place.includes(`:${symbol}:`);
  if (isPlain || (isLine && !ofPackage) || place.endsWith(`:${symbol}`)) return place;
  return address;
}

/**
 * Translates a definition to a line of kprobe_events.
 * @param taken whether an event is there already
 * @param force give another name then
 * @throws TraceError EEXIST, and what the place is refused for
 */
export async function probeLine(
  client: TraceClient,
  { group = GROUP, event, place, args }: PerfDefinition,
  taken: (name: string) => boolean,
  force: boolean,
): Promise<ProbeLine> {
  const found = await placeAt(client, place);
  const isReturn = place.endsWith('%return');
  const wanted =
    event ?? eventNameOf((found && (inlinedName(place, found) ?? found.symbol)) ?? place.replace(/[:%+].*$/s, ''), place);
  const isTaken = (name: string): boolean => taken(`${group}/${name}`);
  if (isTaken(wanted) && !force)
    throw new TraceError('EEXIST', `there is an event ${group}:${wanted}; remove it with -d, or add one with another name by -f`);
  const name = freeName(wanted, isTaken);
  const text = found === undefined ? place : placeOf(place, found);
  const head = isReturn && text === found?.address ? 'r' : 'p';
  const words = [`${head}:${group}/${name}`, text, ...(found === undefined ? args : writtenOut(args, found))];
  return { group, event: name, line: words.join(' ') };
}
