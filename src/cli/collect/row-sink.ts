import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RowSink } from '../../collect/rows.js';
import { UsageError } from '../verb.js';

/** Kinds of targets: how each is named, and what stores rows there. */
const KINDS = [
  {
    name: 'DIR',
    help: 'a folder of Parquet, partitioned by date, service and host',
    matches: (target: string) => !/^[a-z+]+:\/\//i.test(target),
    load: async (target: string): Promise<RowSink> => {
      const { ParquetFolder } = await import('../../collect/parquet-folder.js');
      return new ParquetFolder(resolve(target));
    },
  },
] as const;

/** Lines of help: the kinds of targets. */
export const TARGET_HELP = KINDS.map(({ name, help }) => `                ${name.padEnd(28)}${help}\n`).join('');

/** A target that is the same for the same place. */
export const targetKey = (target: string): string => (KINDS[0].matches(target) ? pathToFileURL(resolve(target)).href : target);

/** What stores rows in a target. UsageError for one that is not known. */
export function rowSink(target: string): Promise<RowSink> {
  const kind = KINDS.find(({ matches }) => matches(target));
  if (kind === undefined) throw new UsageError(`--to ${target} is not known: ${KINDS.map(({ name }) => name).join(', ')}`);
  return kind.load(target);
}
