// A call under the function profiler and under the stack tracer, which writes no records.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { output, ROOT } from './lib/child.mjs';
import { cannot, verdict } from './lib/verdict.mjs';

const SOURCE = fileURLToPath(new URL('./fixtures/statistics.ts', import.meta.url));
const folder = mkdtempSync(join(ROOT, 'build', 'bench-'));
try {
  const outfile = join(folder, 'statistics.js');
  await build({
    entryPoints: [SOURCE],
    outfile,
    bundle: true,
    minifySyntax: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  const { idle, profiler, ownTime, stack } = JSON.parse(output(process.execPath, [outfile]));
  const detail = `the untraced call's ${idle.toFixed(1)} ns subtracted`;
  verdict({ name: 'profiled call', ratio: profiler - idle, unit: ' ns', detail });
  verdict({ name: 'profiled call, nograph-time', ratio: ownTime - idle, unit: ' ns', detail });
  if (stack === undefined) cannot('measured stack', 'this system does not tell how deep a stack is');
  else verdict({ name: 'measured stack', ratio: (stack - idle) / 1000, unit: ' µs', detail });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
