// The formats of `fentry dump`: CPU time against `--flame-graph`, bytes against `--chrome`, memory for ten times the events. The
// recordings have a million events: calls of 5,000 functions in any order; the same with arguments and results; a program that
// interprets expressions, whose stacks are few.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRecording } from '../build/bench/report/recording.js';
import { CLI, cpuSeconds, output } from './lib/child.mjs';
import { measurePairs, median, spread } from './lib/pairs.mjs';
import { verdict } from './lib/verdict.mjs';

const EVENTS = Number(process.env.EVENTS ?? 1_000_000);
const CPUS = 4;
const PAIRS = Number(process.env.PAIRS ?? 5);
const MEMORY_RUNS = Number(process.env.RUNS ?? 3);
const OTHERS = ['chrome', 'speedscope', 'cpuprofile', 'pprof', 'parquet'];

const PROGRAM = `
class Interpreter {
  constructor(text) { this.words = text.match(/\\d+|[-+*()]/g); this.at = 0; }
  take() { return this.words[this.at++]; }
  sum() { let left = this.product(); while (/[-+]/.test(this.words[this.at])) left = this.apply(this.take(), left, this.product()); return left; }
  product() { let left = this.atom(); while (this.words[this.at] === '*') left = this.apply(this.take(), left, this.atom()); return left; }
  atom() { const word = this.take(); if (word !== '(') return Number(word); const inner = this.sum(); this.take(); return inner; }
  apply(op, a, b) { return op === '+' ? a + b : op === '-' ? a - b : a * b; }
}
const TEXT = '1+2*(3-4*(5+6))-(7*(8+9)-(10+(11*12)))';
for (let calls = 0; calls < ${EVENTS} / 2; calls += 150) new Interpreter(TEXT).sum();
`;

/** Prints the largest resident size of the process that it is loaded into, in KiB. */
const PEAK = `data:text/javascript,process.on('exit', () => console.error('peak ' + process.resourceUsage().maxRSS))`;

const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));

/** What a format needs besides: a `.cpuprofile` has one thread. */
const MORE = { cpuprofile: ['--cpu', '0'] };

const dump = (format, path, out) => [
  process.execPath,
  [CLI, 'dump', `--${format}`, ...(MORE[format] ?? []), '-i', path, '-o', out],
];

function recordProgram() {
  const program = join(folder, 'program.cjs');
  const path = join(folder, 'program.dat');
  writeFileSync(program, PROGRAM);
  output(process.execPath, [CLI, 'record', '-p', 'function_graph', '-o', path, '--', process.execPath, program]);
  return path;
}

/** The peak of a dump's memory, in MiB. */
function peak(format, path) {
  const [, args] = dump(format, path, join(folder, 'peak'));
  const text = output('sh', ['-c', '"$@" 2>&1', 'sh', process.execPath, '--import', PEAK, ...args]);
  return Number(/peak (\d+)/.exec(text)[1]) / 1024;
}

const peakOf = (format, path) => median(Array.from({ length: MEMORY_RUNS }, () => peak(format, path)));

try {
  const recordings = [
    ['5,000 functions', makeRecording(folder, 'function_graph', EVENTS, CPUS)],
    ['arguments and results', makeRecording(join(folder, 'args'), 'function_graph', EVENTS, CPUS, true)],
    ['few stacks', recordProgram()],
  ];
  for (const [name, path] of recordings) {
    const sizes = {};
    for (const format of ['perfetto', ...OTHERS]) {
      const out = join(folder, format);
      const flames = join(folder, 'flames');
      const seconds = await measurePairs(
        () => cpuSeconds(...dump(format, path, out)),
        () => cpuSeconds(...dump('flame-graph', path, flames)),
        PAIRS,
      );
      sizes[format] = statSync(out).size;
      verdict({
        name: `dump --${format}, ${name}`,
        ratio: seconds.ratio,
        ...(format === 'perfetto' && { target: 'at most 2' }),
        detail: `CPU time of dump --${format} / dump --flame-graph: ${seconds.a.toFixed(2)} s / ${seconds.b.toFixed(2)} s; ${spread(seconds, PAIRS)}`,
      });
      rmSync(out, { force: true });
    }
    verdict({
      name: `dump --perfetto, bytes, ${name}`,
      ratio: sizes.perfetto / sizes.chrome,
      target: 'at most 0.333',
      detail: `bytes of dump --perfetto / dump --chrome: ${(sizes.perfetto / 1e6).toFixed(1)} MB / ${(sizes.chrome / 1e6).toFixed(1)} MB`,
    });
  }
  const small = makeRecording(join(folder, 'small'), 'function_graph', EVENTS, CPUS);
  const large = makeRecording(join(folder, 'large'), 'function_graph', EVENTS * 10, CPUS);
  for (const format of ['perfetto', 'chrome', 'speedscope', 'parquet']) {
    const [one, ten] = [peakOf(format, small), peakOf(format, large)];
    verdict({
      name: `dump --${format}, memory`,
      ratio: ten / one,
      ...(format === 'perfetto' && { target: 'at most 1.1' }),
      detail: `largest resident size for ${EVENTS * 10} events / for ${EVENTS}: ${ten.toFixed(0)} MiB / ${one.toFixed(0)} MiB`,
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
