// Scripts in a live process: how long it takes from the command to the first hit of a one-liner, and what a hit costs, in reads
// of the clock.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './lib/pairs.mjs';
import { verdict } from './lib/verdict.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const [CLI, PRELOAD] = ['cli.js', 'preload.cjs'].map((name) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const env = { ...process.env, FENTRY_CACHE: join(folder, 'cache'), FENTRY_DIR: join(folder, 'run'), NODE_OPTIONS: '' };

/** Prints the nanoseconds of a call, and of a read of the clock, ten times a second. */
const PROGRAM = `
function area(w, h) { return w * h; }
function named(name) { return name.length; }
let fresh = 0;
console.log('ready');
setInterval(() => {
  const CALLS = 20000;
  const timed = (call) => {
    const began = process.hrtime.bigint();
    for (let i = 0; i < CALLS; i++) call(i);
    return Number(process.hrtime.bigint() - began) / CALLS;
  };
  const clock = timed(() => performance.now());
  console.log(JSON.stringify({ clock, area: timed((i) => area(i & 63, 2)), named: timed(() => named('a text of 20 chars ' + (fresh++ % 1000))) }));
}, 100);
`;

/** Each with the function whose calls it counts, and the most reads of the clock that a hit may take. */
const COSTS = [
  ['count by function name', 'area', 1.2, 'kprobe:area { @[func] = count(); }'],
  ['count by a fresh text', 'named', 3, 'kprobe:named { @[str(arg0)] = count(); }'],
  ['n++', 'area', 1.5, 'kprobe:area { @n++; }'],
  ['rejected by a filter', 'area', 0.6, 'kprobe:area /arg0 == 1000/ { @ = count(); }'],
  ['printf of two integers', 'area', 2.6, 'kprobe:area { printf("%d %d\\n", arg0, arg1); }'],
  [
    'entry and return, with a histogram',
    'area',
    5,
    'kprobe:area { @start[tid] = nsecs; } kretprobe:area { @ns = hist(nsecs - @start[tid]); delete(@start[tid]); }',
  ],
];

async function lastOf(child, seconds) {
  const seen = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const [chunk] = await once(child.stdout, 'data');
    seen.push(
      ...String(chunk)
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line)),
    );
  }
  return seen;
}
/** The least of the readings: what the work itself takes, whatever else the machine does. */
const of = (seen, name) => Math.min(...seen.map((one) => one[name]));

const file = join(folder, 'program.cjs');
writeFileSync(file, PROGRAM);
const child = spawn(process.execPath, ['--require', PRELOAD, file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  await once(child.stdout, 'data');
  await lastOf(child, 1);
  const bpftrace = (program) =>
    spawn(process.execPath, [CLI, 'bpftrace', '-p', String(child.pid), '-e', program], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    const client = bpftrace('kprobe:area { printf("hit\\n"); exit(); }');
    let text = '';
    while (!text.includes('hit')) text += String((await once(client.stdout, 'data'))[0]);
    times.push(performance.now() - began);
    await once(client, 'exit');
  }
  verdict({
    name: 'first hit of a one-liner',
    ratio: median(times),
    unit: ' ms',
    target: '500',
    detail: `from the start of the command; the first script of the process: ${times[0].toFixed(0)} ms`,
  });
  const idle = await lastOf(child, 2);
  for (const [name, called, target, program] of COSTS) {
    const client = bpftrace(program);
    // Its probes stand by then.
    await once(client.stdout, 'data');
    client.stdout.resume();
    await lastOf(child, 1.5);
    const seen = await lastOf(child, 2);
    client.kill('SIGINT');
    await once(client, 'exit');
    const cost = of(seen, called) - of(idle, called);
    verdict({
      name,
      ratio: cost / of(seen, 'clock'),
      target: String(target),
      detail: `${cost.toFixed(0)} ns a call, ${of(seen, 'clock').toFixed(0)} ns a read of the clock`,
    });
  }
} finally {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
