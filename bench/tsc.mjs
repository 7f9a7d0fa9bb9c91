// The TypeScript compiler, cold, on fentry's own sources: CPU time with idle sites against plain Node.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuSeconds, FENTRY, ROOT } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 11);
const COLD_PAIRS = 3;
const TSC = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit'];

const warmCache = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const withCache = (cache) => ({ cwd: ROOT, env: { ...process.env, FENTRY_CACHE: cache } });
const plain = () => cpuSeconds(process.execPath, TSC, { cwd: ROOT });
const idle = (cache) => cpuSeconds(process.execPath, ['--import', FENTRY, ...TSC], withCache(cache));
const idleWithoutCache = () => {
  const cache = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
  try {
    return idle(cache);
  } finally {
    rmSync(cache, { recursive: true });
  }
};

try {
  plain();
  idle(warmCache);
  const warm = await measurePairs(() => idle(warmCache), plain, PAIRS);
  verdict({
    name: 'tsc, warm transform cache',
    ratio: warm.ratio,
    target: 'at most 1.03',
    detail: `${warm.a.toFixed(2)} s of CPU with idle sites, ${warm.b.toFixed(2)} s plain; ${spread(warm, PAIRS)}`,
  });
  const cold = await measurePairs(idleWithoutCache, plain, COLD_PAIRS);
  verdict({
    name: 'tsc, no transform cache',
    ratio: cold.ratio,
    detail: `${cold.a.toFixed(2)} s of CPU with idle sites, ${cold.b.toFixed(2)} s plain; ${spread(cold, COLD_PAIRS)}`,
  });
} finally {
  rmSync(warmCache, { recursive: true, force: true });
}
