import type { TraceClient } from '../../src/client/trace-client.js';

/** What the stats files of an instance's cpus say, added up. */
export interface Accounts {
  readonly entries: number;
  readonly overrun: number;
  readonly 'commit overrun': number;
  readonly 'dropped events': number;
  readonly 'read events': number;
}

const NAMES = ['entries', 'overrun', 'commit overrun', 'dropped events', 'read events'] as const;

/** Adds up the stats of all cpus below `folder` ('' or a path that ends in a slash). */
export async function accountsOf(client: TraceClient, folder: string): Promise<Accounts> {
  const sums: Record<(typeof NAMES)[number], number> = {
    entries: 0,
    overrun: 0,
    'commit overrun': 0,
    'dropped events': 0,
    'read events': 0,
  };
  for (const { name } of await client.list(`${folder}per_cpu`)) {
    const text = await client.read(`${folder}per_cpu/${name}/stats`);
    for (const key of NAMES) sums[key] += Number(new RegExp(`^${key}: (\\d+)$`, 'm').exec(text)![1]);
  }
  return sums;
}

/** Everything that was to be recorded, whatever became of it. */
export const written = (accounts: Accounts): number => NAMES.reduce((sum, name) => sum + accounts[name], 0);
