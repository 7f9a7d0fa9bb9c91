import type { StatementSite } from '../../ftrace/text.js';
import type { FoundPlace } from '../ftrace/found-place.js';
import type { PlaceNeeds } from './find-place.js';

/** The site of a statement: its number in its function, and the address of the probe's place. */
export interface StatementAddress {
  readonly n: number;
  readonly index: number;
  readonly address: number;
  readonly site: StatementSite;
}

/**
 * The site of the statement to which a place in the middle of a function belongs, if the one is reached whenever the other is,
 * and if it passes what a probe reads.
 */
export async function findStatement(
  { table, places }: PlaceNeeds,
  { n, offset }: Pick<FoundPlace, 'n' | 'offset'>,
  isPassed: (site: StatementSite) => boolean,
): Promise<StatementAddress | undefined> {
  const sites = table.function(n).statements?.();
  const all = sites && (await places.of(n));
  if (sites === undefined || all === undefined) return undefined;
  const index = sites.findLastIndex(({ from, to }) => from <= offset && offset < to);
  const site = sites[index];
  if (site === undefined || all.some((place) => place.offset >= site.from && place.offset < offset)) return undefined;
  return isPassed(site) ? { n, index, site, address: table.address(n) + offset } : undefined;
}
