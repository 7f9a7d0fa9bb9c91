// `fentry report` against `trace-cmd report` on the same recordings of a million events, whole processes, to /dev/null.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRecording } from '../build/bench/report/recording.js';
import { CLI, cpuSeconds, hasCommand, output } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { cannot, verdict } from './lib/verdict.mjs';

const EVENTS = 1_000_000;
const CPUS = 4;
const PAIRS = Number(process.env.PAIRS ?? 7);

const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
try {
  for (const tracer of ['function', 'function_graph']) {
    const name = `report, ${tracer}`;
    if (!hasCommand('trace-cmd')) {
      cannot(name, 'trace-cmd is not installed (apt-get install trace-cmd)');
      continue;
    }
    const path = makeRecording(folder, tracer, EVENTS, CPUS);
    const ours = [process.execPath, [CLI, 'report', '-i', path]];
    const theirs = ['trace-cmd', ['report', '-i', path]];
    if (output(...ours) !== output(...theirs)) throw new Error(`fentry and trace-cmd report different lines of ${path}`);
    const seconds = await measurePairs(
      () => cpuSeconds(...ours),
      () => cpuSeconds(...theirs),
      PAIRS,
    );
    verdict({
      name,
      ratio: seconds.ratio,
      target: 'at most 1',
      detail: `CPU time of fentry report / trace-cmd report, ${EVENTS} events on ${CPUS} CPUs, the same lines: ${seconds.a.toFixed(2)} s / ${seconds.b.toFixed(2)} s; ${spread(seconds, PAIRS)}`,
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
