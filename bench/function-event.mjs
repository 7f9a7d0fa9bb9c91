// A `function` event, and a call under function_graph (entry and exit), in process, as multiples of reading the trace clock.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { output, ROOT } from './lib/child.mjs';
import { verdict } from './lib/verdict.mjs';

const SOURCE = fileURLToPath(new URL('./fixtures/function-event.ts', import.meta.url));
const folder = mkdtempSync(join(ROOT, 'build', 'bench-'));
try {
  const outfile = join(folder, 'function-event.js');
  // As dist/ is built: bundled, with constants in their places.
  await build({
    entryPoints: [SOURCE],
    outfile,
    bundle: true,
    minifySyntax: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  const least = JSON.parse(output(process.execPath, [outfile]));
  const detail = (traced) =>
    `${(traced - least.idle).toFixed(1)} ns, a clock read ${least.clock.toFixed(1)} ns; the untraced call's ${least.idle.toFixed(1)} ns subtracted`;
  const of = (traced) => (traced - least.idle) / least.clock;
  verdict({
    name: 'function event, in clock reads',
    ratio: of(least.event),
    target: 'at most 1.60',
    detail: detail(least.event),
  });
  verdict({ name: 'function_graph call, in clock reads', ratio: of(least.graph), detail: detail(least.graph) });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
