import type { TraceClient } from '../../src/client/trace-client.js';

const NAMES = ['entries', 'overrun', 'commit overrun', 'dropped events', 'read events'] as const;

/** What the stats files of an instance's cpus say, added up. */
export type Accounts = Readonly<Record<(typeof NAMES)[number], number>>;

/** Adds up the stats of all cpus below `folder` ('' or a path that ends in a slash). */
export async function accountsOf(client: TraceClient, folder: string): Promise<Accounts> {
  const texts: string[] = [];
  for (const { name } of await client.list(`${folder}per_cpu`)) texts.push(await client.read(`${folder}per_cpu/${name}/stats`));
  return accounts((name) => texts.reduce((sum, text) => sum + Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)![1]), 0));
}

/** What two buffers say together. */
export const added = (a: Accounts, b: Accounts): Accounts => accounts((name) => a[name] + b[name]);

/** Everything that was to be recorded, whatever became of it. */
export const written = (of: Accounts): number => NAMES.reduce((sum, name) => sum + of[name], 0);

const accounts = (sumOf: (name: (typeof NAMES)[number]) => number): Accounts =>
  Object.fromEntries(NAMES.map((name) => [name, sumOf(name)])) as Accounts;
