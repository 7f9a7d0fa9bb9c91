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
  {
    name: 'otlp+http://HOST:4318',
    help: 'a receiver of OTLP: spans, metrics and logs in JSON; otlp+https:// too',
    matches: (target: string) => /^otlp\+https?:\/\//.test(target),
    load: async (target: string): Promise<RowSink> => {
      const { OtlpReceiver } = await import('../../collect/otlp/otlp-receiver.js');
      return new OtlpReceiver(target);
    },
  },
  {
    name: 'clickhouse+http://HOST:8123',
    help: 'ClickHouse: tables fentry_calls, fentry_events ...; USER:PASSWORD@ before HOST, /?database=NAME',
    matches: (target: string) => /^clickhouse\+https?:\/\//.test(target),
    load: async (target: string): Promise<RowSink> => {
      const { ClickHouse } = await import('../../collect/clickhouse.js');
      return new ClickHouse(target);
    },
  },
] as const;

/** Lines of help: the kinds of targets. */
export const TARGET_HELP = KINDS.map(({ name, help }) => `                ${name.padEnd(28)}${help}\n`).join('');

/** A target that is the same for the same place. */
export const targetKey = (target: string): string => (KINDS[0].matches(target) ? pathToFileURL(resolve(target)).href : target);

/** What stores rows in a target. UsageError for one that is not known. */
export async function rowSink(target: string): Promise<RowSink> {
  const kind = KINDS.find(({ matches }) => matches(target));
  if (kind === undefined) throw new UsageError(`--to ${target} is not known: ${KINDS.map(({ name }) => name).join(', ')}`);
  try {
    return await kind.load(target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_INVALID_URL') throw error;
    throw new UsageError(`--to ${target} is no URL, such as ${kind.name}`);
  }
}
