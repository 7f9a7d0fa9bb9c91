// A program that stays hot, a JavaScript parser: CPU time with idle sites against plain Node.
//
// V8 decides at run time which objects it allocates as old ones (pretenuring), and for this program it decides one way or
// the other by chance, most of all on Node 26; the wrong way costs up to half again, with fentry and without. So the
// ratio is taken with that switched off first, then as V8 comes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FENTRY, output, ROOT } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 9);
const WARM = '30';
const MEASURED = '80';

const cache = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const options = { cwd: ROOT, env: { ...process.env, FENTRY_CACHE: cache } };
const milliseconds = (...flags) =>
  Number(output(process.execPath, [...flags, 'bench/fixtures/hot-parse.cjs', WARM, MEASURED], options));

try {
  for (const [name, ...flags] of [['hot parser, pretenuring off', '--no-allocation-site-pretenuring'], ['hot parser']]) {
    const measured = await measurePairs(
      () => milliseconds(...flags, '--import', FENTRY),
      () => milliseconds(...flags),
      PAIRS,
    );
    verdict({
      name,
      ratio: measured.ratio,
      detail: `${measured.a.toFixed(0)} ms of CPU with idle sites, ${measured.b.toFixed(0)} ms plain; ${spread(measured, PAIRS)}`,
    });
  }
} finally {
  rmSync(cache, { recursive: true, force: true });
}
