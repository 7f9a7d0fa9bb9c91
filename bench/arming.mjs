// Arming every function of a process and disarming it again, from the write to the answer.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { writeManyFunctions } from './fixtures/many-functions.mjs';
import { FENTRY } from './lib/child.mjs';
import { median } from './lib/pairs.mjs';
import { TracefsClient } from './lib/tracefs-client.mjs';
import { verdict } from './lib/verdict.mjs';

const FUNCTIONS = 20_000;
const ROUNDS = Number(process.env.ROUNDS ?? 11);
const IDLE = fileURLToPath(new URL('./fixtures/idle.cjs', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const many = join(folder, 'many.cjs');
writeManyFunctions(many, FUNCTIONS);
const env = { ...process.env, FENTRY_CACHE: join(folder, 'cache'), FENTRY_DIR: join(folder, 'run') };
const target = spawn(process.execPath, ['--import', FENTRY, IDLE, many], { env, stdio: ['ignore', 'pipe', 'inherit'] });

try {
  await once(createInterface({ input: target.stdout }), 'line');
  const tracefs = new TracefsClient(join(folder, 'run', `${target.pid}.sock`));
  // The buffer must not be what is measured, nor the symbols, which are read at the first listing.
  const sites = (await tracefs.read('available_filter_functions')).split('\n').length - 1;
  await tracefs.write('tracing_on', '0');
  const arm = [];
  const disarm = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    arm.push(await tracefs.write('current_tracer', 'function'));
    disarm.push(await tracefs.write('current_tracer', 'nop'));
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
  result('arming', arm);
  result('disarming', disarm);
} finally {
  target.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
