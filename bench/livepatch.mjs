// What calls of patched and of followed functions cost, as multiples of reading the clock; each figure is the least of several
// rounds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FENTRY, output } from './lib/child.mjs';
import { verdict } from './lib/verdict.mjs';

const PROGRAM = fileURLToPath(new URL('./fixtures/livepatch/program.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
try {
  const env = { ...process.env, FENTRY_DIR: folder, FENTRY: 'livepatch_follow=followed' };
  const least = JSON.parse(output(process.execPath, ['--import', FENTRY, PROGRAM, FENTRY], { env }));
  const rows = [
    ['a followed call', least.follow - least.idle],
    ['a patched call', least.patched - least.idle],
    ['reading a private variable', least.private - least.patched],
  ];
  for (const [name, ns] of rows) {
    const detail = `${ns.toFixed(1)} ns, a clock read ${least.clock.toFixed(1)} ns; a call as it is ${least.idle.toFixed(1)} ns subtracted`;
    verdict({ name: `${name}, in clock reads`, ratio: ns / least.clock, detail });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
