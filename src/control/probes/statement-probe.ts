import type { StatementSite } from '../../ftrace/text.js';
import { fetchRoot, withFetchRoot } from '../../probes/fetch-root.js';
import { type Fetch, needsSymbols, type ProbeArgument, type ProbeDefinition } from '../../probes/probe-definition.js';
import type { PointConfig } from '../../probes/probe-point.js';
import type { PlacedKprobe } from '../ftrace/process-kprobes.js';
import type { ProbeCommon } from './site-probe.js';

/** The site of a statement: its number in its function, and the address of the probe's place. */
export interface StatementAddress {
  readonly n: number;
  readonly index: number;
  readonly address: number;
  readonly site: StatementSite;
}

/** The name that a fetch reads from the code around it; undefined: none. */
function nameOf(fetch: Fetch): string | undefined {
  const root = fetchRoot(fetch);
  if (root.kind === 'this') return 'this';
  return root.kind === 'variable' ? root.name : undefined;
}

/**
 * The site whose statement a place belongs to, if the one is reached whenever the other is, and if it passes what a probe reads.
 * @param offset of the place, from the function's start
 * @param places the offsets of all places of the function
 */
export function statementFor(
  sites: readonly StatementSite[],
  offset: number,
  places: readonly number[],
  isPassed: (site: StatementSite) => boolean,
): { readonly index: number; readonly site: StatementSite } | undefined {
  const index = sites.findLastIndex(({ from, to }) => from <= offset && offset < to);
  const site = sites[index];
  if (site === undefined || places.some((place) => place >= site.from && place < offset)) return undefined;
  return isPassed(site) ? { index, site } : undefined;
}

/** Whether a site passes all that a probe event reads. */
export const passesTo = ({ args }: ProbeDefinition, { names }: StatementSite): boolean =>
  args.every(({ fetch }) => {
    const name = nameOf(fetch);
    return name === undefined ? fetchRoot(fetch).kind !== 'symbol' : names.includes(name);
  });

/** Where a probe event stands at the site of a statement, and what it reads of what that passes. */
export function statementPoint(
  { args }: ProbeDefinition,
  { n, index, address, site }: StatementAddress,
): Pick<PointConfig, 'place' | 'args'> {
  return {
    place: { kind: 'statement', n, index, address },
    args: args.map((argument): ProbeArgument => ({ ...argument, fetch: withIndices(argument.fetch, site.names) })),
  };
}

/** A probe at the site of a statement. */
export class StatementProbe implements PlacedKprobe {
  readonly needsSymbols: boolean;
  readonly #points: readonly PointConfig[];

  constructor({ takeId, ...common }: ProbeCommon, definition: ProbeDefinition, found: StatementAddress) {
    this.needsSymbols = needsSymbols(definition);
    this.#points = [{ id: takeId(), ...common, ...statementPoint(definition, found), maxactive: 0 }];
  }

  points(): readonly PointConfig[] {
    return this.#points;
  }
}

const withIndices = (fetch: Fetch, names: readonly string[]): Fetch =>
  withFetchRoot(fetch, (root) => {
    const name = nameOf(root);
    return name === undefined ? root : { kind: 'argument', index: names.indexOf(name) };
  });
