import { SafeMap } from '../../base/safe-map.js';
import type { StatementSite } from '../../ftrace/text.js';

/**
 * The stored form of a function's sites at statements: the names that they pass, each once, then for each site the units since
 * the one before, its length and the indices of its names: `this,order,total|1k.6,0,1;...`. Numbers have base 36.
 */
const BASE = 36;
const text = (value: number): string => value.toString(BASE);
const number = (value: string): number => Number.parseInt(value, BASE);

export function encodeStatements(sites: readonly StatementSite[]): string {
  const indices = new SafeMap<string, number>();
  const indexOf = (name: string): number => {
    const index = indices.get(name) ?? indices.size;
    indices.set(name, index);
    return index;
  };
  let before = 0;
  const rows = sites.map(({ from, to, names }) => {
    const step = from - before;
    before = from;
    return [`${text(step)}.${text(to - from)}`, ...names.map((name) => text(indexOf(name)))].join(',');
  });
  return `${[...indices.keys()].join(',')}|${rows.join(';')}`;
}

export function decodeStatements(stored: string): readonly StatementSite[] {
  const [head = '', rows = ''] = stored.split('|');
  const known = head.split(',');
  let from = 0;
  return rows.split(';').map((row) => {
    const [place = '', ...indices] = row.split(',');
    const [step = '', length = ''] = place.split('.');
    from += number(step);
    return { from, to: from + number(length), names: indices.map((index) => known[number(index)]!) };
  });
}
