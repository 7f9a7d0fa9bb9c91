import type { StatementSite } from '../../ftrace/text.js';
import { fetchRoot, withFetchRoot } from '../../probes/fetch-root.js';
import {
  type Fetch,
  type ProbeArgument,
  type ProbeDefinition,
  type ProbeKind,
  RETURN_KINDS,
} from '../../probes/probe-definition.js';
import type { PointConfig, PointPlace } from '../../probes/probe-point.js';
import type { FoundPlace } from '../ftrace/found-place.js';
import { NO_FUNCTION } from '../ftrace/process-places.js';
import type { TextTable } from '../ftrace/text-table.js';
import type { StatementAddress } from './find-statement.js';
import type { ProbeFunctions } from './probe-functions.js';

/**
 * Where a probe stands, and what it fetches there. It stands in one of three ways: at the sites of functions, at the site of a
 * statement, or at a breakpoint.
 */
export type ProbeStand = Pick<PointConfig, 'place' | 'args'>;

/** What a thread is told of a breakpoint. */
export type BreakpointPlace = Extract<PointPlace, { kind: 'breakpoint' }>;

/** What a thread is told of a place at which V8 is to stop, or machine code. */
export function breakpointAt(table: TextTable, { n, offset, text }: FoundPlace): BreakpointPlace {
  const place = [[offset, offset + 1] as const];
  if (text !== undefined) return { kind: 'breakpoint', n, address: text.base, functionKind: 0, ranges: place };
  const ranges = offset === 0 ? [] : place;
  return { kind: 'breakpoint', n, address: table.address(n), functionKind: table.function(n).kind, ranges };
}

/** A variable that no site passes: a fault. */
const NO_THIS: Fetch = { kind: 'variable', name: 'this' };

/**
 * The stands of a probe at the sites of functions, one for all functions whose arguments are fetched in the same way: by the
 * text of these arguments.
 * @param argsOf what it fetches at the entry of one, as debug information says; undefined: as it is written
 */
export function siteStands(
  { kind, args: written }: ProbeDefinition,
  functions: Iterable<number>,
  { params, hasThis }: Pick<ProbeFunctions, 'params' | 'hasThis'>,
  argsOf: (n: number) => readonly ProbeArgument[] | undefined = () => undefined,
): ReadonlyMap<string, ProbeStand> {
  const groups = new Map<string, { args: readonly ProbeArgument[]; functions: number[] }>();
  for (const n of functions) {
    const args = argsOf(n) ?? passedAtSite(written, params(n), hasThis(n));
    const key = args.map(({ fetch }) => fetchKey(fetch)).join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { args, functions: [n] });
    else group.functions.push(n);
  }
  const way = siteKind(kind);
  return new Map(Array.from(groups, ([key, { args, functions }]) => [key, { place: { kind: way, functions }, args }]));
}

/** A stand at the sites of one function. */
export function siteStand(
  { kind, args }: ProbeDefinition,
  n: number,
  { params, hasThis }: Pick<ProbeFunctions, 'params' | 'hasThis'>,
): ProbeStand {
  return { place: { kind: siteKind(kind), functions: [n] }, args: passedAtSite(args, params(n), hasThis(n)) };
}

/** A stand at the site of a statement. */
export const statementStand = (
  { args }: ProbeDefinition,
  { n, index, address, site: { names } }: StatementAddress,
): ProbeStand => ({
  place: { kind: 'statement', n, index, address },
  args: withRoots(args, (root) => {
    const name = nameOf(root);
    return name === undefined ? root : { kind: 'argument', index: names.indexOf(name) };
  }),
});

/** A stand at a breakpoint. A parameter is read by its name: there is no site to pass it. */
export function breakpointStand({ args }: ProbeDefinition, place: BreakpointPlace, table: TextTable): ProbeStand {
  const params = place.n === NO_FUNCTION ? [] : table.function(place.n).params;
  const named = withRoots(args, (root) => {
    const name = root.kind === 'argument' ? params[root.index] : undefined;
    return name === undefined ? root : { kind: 'variable', name };
  });
  return { place, args: named };
}

/** Whether the site of a statement passes all that a probe event reads. */
export const passesTo = ({ args }: ProbeDefinition, { names }: StatementSite): boolean =>
  args.every(({ fetch }) => {
    const name = nameOf(fetch);
    return name === undefined ? fetchRoot(fetch).kind !== 'symbol' : names.includes(name);
  });

/** What a probe hears at the sites of a function. */
const siteKind = (kind: ProbeKind): 'entry' | 'return' | 'settled' =>
  kind === 'settled' ? kind : RETURN_KINDS.includes(kind) ? 'return' : 'entry';

/** Arguments with the place of each parameter in what a function's site passes in place of its name. */
const passedAtSite = (args: readonly ProbeArgument[], params: readonly string[], hasThis: boolean): readonly ProbeArgument[] =>
  withRoots(args, (root) => {
    if (root.kind === 'this') return hasThis ? root : NO_THIS;
    const index = root.kind === 'variable' ? params.indexOf(root.name) : -1;
    return index < 0 ? root : { kind: 'argument', index };
  });

const withRoots = (args: readonly ProbeArgument[], change: (root: Fetch) => Fetch): readonly ProbeArgument[] =>
  args.map((argument) => ({ ...argument, fetch: withFetchRoot(argument.fetch, change) }));

/** The name that a fetch reads from the code around it; undefined: none. */
function nameOf(fetch: Fetch): string | undefined {
  const root = fetchRoot(fetch);
  if (root.kind === 'this') return 'this';
  return root.kind === 'variable' ? root.name : undefined;
}

/** How a value is fetched, as text. */
const fetchKey = (fetch: Fetch): string =>
  JSON.stringify(fetch, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
