// What a call of one small function costs under fentry record, under appmap-node and in an OpenTelemetry span.
// The two packages are installed into bench/competitors/node_modules at the first run.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLI, output } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { cannot, verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 5);
const COMPETITORS = fileURLToPath(new URL('./competitors', import.meta.url));
const APPMAP = join(COMPETITORS, 'node_modules/appmap-node/bin/appmap-node.js');
const CALLS = fileURLToPath(new URL('./fixtures/calls.cjs', import.meta.url));

/** Calls: as many as leave the compiler's warming up behind; the others are slow enough to need fewer. */
const CALLS_HERE = '1000000';

const nanoseconds = (text) => Number(text.split('\n').find((line) => /^\d+(\.\d+)?(e-?\d+)?$/.test(line)));

/** Whether the two packages are there, after trying to install them. */
const installed = () => {
  if (existsSync(APPMAP)) return true;
  try {
    output('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: COMPETITORS });
    return existsSync(APPMAP);
  } catch {
    return false;
  }
};

if (!installed()) cannot('appmap-node, OpenTelemetry', 'npm could not install them');
else {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
  try {
    writeFileSync(join(folder, 'appmap.yml'), 'name: bench\nlanguage: javascript\nappmap_dir: appmap\npackages:\n  - path: .\n');
    // appmap-node records only what lies in the folder that it runs in.
    output('cp', [CALLS, join(folder, 'calls.cjs')]);
    const record = ['record', '-p', 'function_graph', '-l', 'work', '-o', join(folder, 't.dat'), '--'];
    const fentry = () =>
      nanoseconds(output(process.execPath, [CLI, ...record, process.execPath, 'calls.cjs', CALLS_HERE], { cwd: folder }));
    const appmap = () => nanoseconds(output(process.execPath, [APPMAP, process.execPath, 'calls.cjs', '20000'], { cwd: folder }));
    const span = () => nanoseconds(output(process.execPath, ['span.mjs', '50000'], { cwd: COMPETITORS }));
    const plain = nanoseconds(output(process.execPath, ['calls.cjs', CALLS_HERE], { cwd: folder }));

    const against = async (name, other, target) => {
      const pairs = await measurePairs(other, fentry, PAIRS);
      const detail = `${pairs.a.toFixed(0)} ns a call, ${pairs.b.toFixed(0)} ns under fentry function_graph (${plain.toFixed(1)} ns untraced); ${spread(pairs, PAIRS)}`;
      verdict({ name, ratio: pairs.ratio, target, detail });
    };
    await against('appmap-node / fentry', appmap, 'at least 100');
    await against('OpenTelemetry span / fentry', span);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
