// Idle sites at statements: the TypeScript compiler, cold, with sites at all its statements against sites at its functions.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuSeconds, FENTRY, ROOT } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 5);
const TSC = ['--import', FENTRY, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit'];

const cache = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const run = (parameters) => () =>
  cpuSeconds(process.execPath, TSC, { cwd: ROOT, env: { ...process.env, FENTRY_CACHE: cache, FENTRY: parameters } });
const functions = run('instrument=typescript');
const statements = run('instrument=typescript statement_sites=typescript');
const plain = () => cpuSeconds(process.execPath, TSC.slice(2), { cwd: ROOT });

try {
  functions();
  statements();
  for (const [name, base] of [
    ['sites at functions', functions],
    ['plain Node', plain],
  ]) {
    const pairs = await measurePairs(statements, base, PAIRS);
    verdict({
      name: `sites at statements, by ${name}`,
      ratio: pairs.ratio,
      detail: `${pairs.a.toFixed(2)} s of CPU with idle sites at statements, ${pairs.b.toFixed(2)} s; ${spread(pairs, PAIRS)}`,
    });
  }
} finally {
  rmSync(cache, { recursive: true, force: true });
}
