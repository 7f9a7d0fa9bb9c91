import { createRequire } from 'node:module';
import type { TestContext } from 'node:test';
import { installedPackage } from './installed-package.js';

type Rows = Record<string, unknown>[];

interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<{ runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Rows }> }> }>;
  };
}

/** Asks a question in SQL. */
export type AskDuckDb = (sql: string) => Promise<Rows>;

/** What asks a DuckDB in memory; undefined, and the test is skipped, if npm cannot install it. */
export async function duckDb(t: TestContext): Promise<AskDuckDb | undefined> {
  const folder = installedPackage('@duckdb/node-api', '1.5.6-r.1');
  if (folder === undefined) {
    t.skip('npm cannot install @duckdb/node-api');
    return undefined;
  }
  const { DuckDBInstance } = createRequire(import.meta.url)(folder) as DuckDb;
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  return async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
}
