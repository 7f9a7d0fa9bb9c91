import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { columnsOf } from '../tables/columns.js';
import { ParquetFile } from '../tables/parquet-file.js';
import type { TableData } from '../tables/table-data.js';
import type { Batch, Origin, RowGroup, RowSink } from './rows.js';

/** The rows of a group as a Parquet file. */
export function parquetBytes(rows: TableData): Uint8Array {
  const pieces: Uint8Array[] = [];
  const file = new ParquetFile(columnsOf(rows.table, 'fleet'), (bytes) => pieces.push(bytes));
  file.add(rows);
  file.finish();
  return Buffer.concat(pieces);
}

/** A part of a path as Hive writes it: what is special in a path is `%2F`. */
const pathWord = (text: string): string =>
  text === ''
    ? '__HIVE_DEFAULT_PARTITION__'
    : encodeURIComponent(text).replace(/[.'()*]/g, (one) => (one === '.' ? one : `%${one.charCodeAt(0).toString(16)}`));

/** The folder of a group: `events/date=2026-11-27/service=shop/host=box`. */
export const partition = ({ table, date, service, host }: Origin & Pick<RowGroup, 'table' | 'date'>): string =>
  join(table, `date=${date}`, `service=${pathWord(service)}`, `host=${pathWord(host)}`);

/**
 * A folder of Parquet files, partitioned as Hive does, which DuckDB, Spark, Trino and Athena read as it is. A file is written
 * whole or not at all: under a name that these leave out, flushed to the disk, then renamed. A batch that is stored again has the
 * same names.
 */
export class ParquetFolder implements RowSink {
  readonly name: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.name = `the folder ${folder}`;
  }

  async store({ id, groups }: Batch): Promise<void> {
    for (const group of groups) {
      const folder = join(this.#folder, partition(group));
      const path = join(folder, `${id}.parquet`);
      // What is there is whole. The records that it was made of may be gone in part by now.
      if (existsSync(path)) continue;
      makeFolders(this.#folder, folder);
      await writeWhole(path, join(folder, `.${id}.tmp`), parquetBytes(group.rows));
    }
  }
}

async function writeWhole(path: string, temporary: string, bytes: Uint8Array): Promise<void> {
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/** Makes the missing folders, and flushes their names to the disk. */
function makeFolders(root: string, folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  for (let at = folder; at.length >= dirname(first).length && at !== dirname(at); at = dirname(at)) {
    syncFolder(at);
    if (at === root) break;
  }
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } catch (error) {
    // A file system of a network may refuse to flush a folder: it has its own ways.
    if (!['EINVAL', 'ENOTSUP', 'EBADF', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    closeSync(fd);
  }
}
