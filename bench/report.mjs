// `fentry report` against `trace-cmd report` on the same recordings of a million events, whole processes, to /dev/null; and the
// other forms of a graph, with arguments and without, against `fentry report` of it.
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

/** What each form may cost, in CPU time of `fentry report`. */
const FORMS = [
  ['dump --chrome', ['dump', '--chrome'], 'at most 2'],
  ['dump --flame-graph', ['dump', '--flame-graph'], 'at most 1'],
  ['report --profile', ['report', '--profile'], 'at most 1'],
  ['report --trace', ['report', '--trace'], 'at most 2'],
];

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
  for (const args of [false, true]) {
    const path = makeRecording(join(folder, `args-${args}`), 'function_graph', EVENTS, CPUS, args);
    const report = [process.execPath, [CLI, 'report', '-i', path]];
    for (const [name, words, target] of FORMS) {
      const form = [process.execPath, [CLI, ...words, '-i', path]];
      const seconds = await measurePairs(
        () => cpuSeconds(...form),
        () => cpuSeconds(...report),
        PAIRS,
      );
      verdict({
        name: `${name}, ${args ? 'arguments and results' : 'no arguments'}`,
        ratio: seconds.ratio,
        target,
        detail: `CPU time of fentry ${name} / fentry report, ${EVENTS} events of function_graph on ${CPUS} CPUs: ${seconds.a.toFixed(2)} s / ${seconds.b.toFixed(2)} s; ${spread(seconds, PAIRS)}`,
      });
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
