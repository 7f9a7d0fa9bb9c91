// The TypeScript compiler on a small program under function_graph: CPU time with arguments and results against without them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuSeconds, FENTRY, ROOT } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 3);
const SOURCE = `
interface Point { readonly x: number; readonly y?: string }
export const sum = <T extends Point>(points: readonly T[]): number => points.map(({ x }) => x).reduce((a, b) => a + b, 0);
export const text = (n: number): string => (n > 1 ? text(n - 1) + 'a' : sum([{ x: n }]).toString());
`;

const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
writeFileSync(join(folder, 'points.ts'), SOURCE);
const options = { strict: true, noEmit: true, target: 'es2022', lib: ['es2022'], types: [] };
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['points.ts'] }));

const compile = (traceOptions) => {
  const env = {
    ...process.env,
    FENTRY: `ftrace=function_graph${traceOptions}`,
    FENTRY_CACHE: join(folder, 'cache'),
    FENTRY_DIR: join(folder, 'run'),
  };
  return cpuSeconds(process.execPath, ['--import', FENTRY, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], { env });
};
const withoutValues = () => compile('');
const withValues = () => compile(' trace_options=funcgraph-args,funcgraph-retval');

try {
  withoutValues();
  const result = await measurePairs(withValues, withoutValues, PAIRS);
  verdict({
    name: 'arguments and results, tsc',
    ratio: result.ratio,
    target: 'at most 2',
    detail: `${result.a.toFixed(2)} s of CPU under function_graph with them, ${result.b.toFixed(2)} s without; ${spread(result, PAIRS)}`,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
