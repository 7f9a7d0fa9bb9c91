// An event with four integers, recorded into memory where the newest are kept, against the same event of LTTng-UST in C.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hasCommand, output, REQUIRED } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { cannot, verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 9);
const ROUNDS = '200';
const SOURCE = fileURLToPath(new URL('./fixtures/lttng-event.c', import.meta.url));
const SCRIPT = fileURLToPath(new URL('./fixtures/four-integers.cjs', import.meta.url));
const NAME = 'an event, of LTTng-UST’s in C';
const SESSION = `fentry-bench-${process.pid}`;

/** Why LTTng cannot be measured here, or undefined; `binary` is the program that it leaves behind. */
function whyNot(binary) {
  const missing = ['lttng', 'lttng-sessiond', 'gcc'].filter((name) => !hasCommand(name));
  if (missing.length > 0) return `${missing.join(' and ')} not installed (apt-get install lttng-tools gcc)`;
  try {
    output('gcc', ['-O2', `-I${dirname(SOURCE)}`, '-o', binary, SOURCE, '-llttng-ust', '-ldl']);
  } catch {
    return 'liblttng-ust-dev is not installed (apt-get install liblttng-ust-dev)';
  }
}

const lttng = (...args) => output('lttng', ['--no-sessiond', ...args]);
const answers = () => {
  try {
    lttng('list');
    return true;
  } catch {
    return false;
  }
};

/** Starts the session daemon unless one runs; resolves with what ends it again. */
async function daemon() {
  if (answers()) return () => {};
  const child = spawn('lttng-sessiond', ['--no-kernel'], { stdio: 'ignore' });
  for (let tries = 0; tries < 100 && !answers(); tries++) await later(100);
  return () => child.kill();
}

const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
try {
  const binary = join(folder, 'lttng-event');
  const reason = whyNot(binary);
  if (reason !== undefined) cannot(NAME, reason);
  else {
    const end = await daemon();
    try {
      // Nobody reads: the newest events are kept, as in fentry's buffer.
      lttng('create', SESSION, '--snapshot', `--output=${join(folder, 'snapshots')}`);
      lttng('enable-event', '--userspace', 'bench:numbers');
      lttng('start');
      const inC = () => Number(output(binary, [ROUNDS]));
      const environment = (FENTRY) => ({ env: { ...process.env, FENTRY, FENTRY_DIR: folder } });
      const run = (parameters) =>
        Number(output(process.execPath, ['--require', REQUIRED, SCRIPT, ROUNDS], environment(parameters)));
      const pairs = await measurePairs(() => run('trace_event=bench:numbers'), inC, PAIRS);
      verdict({
        name: NAME,
        ratio: pairs.ratio,
        detail: `${pairs.a.toFixed(0)} ns with fentry (${run('').toFixed(1)} ns while it is off), ${pairs.b.toFixed(0)} ns with LTTng-UST; ${spread(pairs, PAIRS)}`,
      });
    } finally {
      if (answers()) lttng('destroy', SESSION);
      end();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
