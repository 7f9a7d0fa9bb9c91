// Arming every function of a process and disarming it again: from the write to the answer, and the longest turn of the
// program's event loop meanwhile.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { writeManyFunctions } from './fixtures/many-functions.mjs';
import { FENTRY } from './lib/child.mjs';
import { median } from './lib/pairs.mjs';
import { TracefsClient } from './lib/tracefs-client.mjs';
import { verdict } from './lib/verdict.mjs';

const FUNCTIONS = 20_000;
const ROUNDS = Number(process.env.ROUNDS ?? 11);
const TURNING = fileURLToPath(new URL('./fixtures/turning.cjs', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const many = join(folder, 'many.cjs');
writeManyFunctions(many, FUNCTIONS);
const env = { ...process.env, FENTRY_CACHE: join(folder, 'cache'), FENTRY_DIR: join(folder, 'run') };
const target = spawn(process.execPath, ['--import', FENTRY, TURNING, many], { env, stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: target.stdout });
/** Milliseconds of the longest turn since it was last asked for. */
const longestTurn = async () => {
  target.stdin.write('\n');
  const [line] = await once(lines, 'line');
  return Number(line);
};

try {
  await once(lines, 'line');
  const tracefs = new TracefsClient(join(folder, 'run', `${target.pid}.sock`));
  // The buffer must not be what is measured, nor the symbols, which are read at the first listing.
  const sites = (await tracefs.read('available_filter_functions')).split('\n').length - 1;
  await tracefs.write('tracing_on', '0');
  const switched = { arming: [], 'to another tracer': [], disarming: [] };
  const turns = { idle: [], arming: [], 'to another tracer': [], disarming: [], 'renewing cells': [] };
  const switchTo = async (name, tracer) => {
    switched[name].push(await tracefs.write('current_tracer', tracer));
    turns[name].push(await longestTurn());
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await longestTurn();
    await sleep(100);
    turns.idle.push(await longestTurn());
    await switchTo('arming', 'function');
    await switchTo('to another tracer', 'function_graph');
    await switchTo('disarming', 'nop');
    // Cells become constants for V8 again after the answer.
    await sleep(300);
    turns['renewing cells'].push(await longestTurn());
  }
  const nanoseconds = (milliseconds) => (median(milliseconds) * 1e6) / sites;
  const result = (name, milliseconds) =>
    verdict({
      name,
      ratio: nanoseconds(milliseconds) / 1000,
      unit: ' µs',
      target: 'at most 1 µs a site',
      detail: `${median(milliseconds).toFixed(1)} ms for ${sites} sites, from the write to the answer; median of ${ROUNDS}, the first ${milliseconds[0].toFixed(1)} ms`,
    });
  for (const [name, milliseconds] of Object.entries(switched)) result(name, milliseconds);
  for (const [name, milliseconds] of Object.entries(turns)) {
    verdict({
      name: `longest turn, ${name}`,
      ratio: median(milliseconds),
      unit: ' ms',
      ...(name !== 'idle' && { target: 'at most 5 ms of work' }),
      detail: `median of ${ROUNDS}, the longest ${Math.max(...milliseconds).toFixed(1)} ms`,
    });
  }
} finally {
  target.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
