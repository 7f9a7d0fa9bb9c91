// Enabling and disabling one event that has many probes, a hist trigger on it, and the same probes as events of their own: from
// the write to the answer, and for one probe. What grows with the number of probes for each of them is quadratic.
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
import { cannot, verdict } from './lib/verdict.mjs';

const COUNTS = (process.env.COUNTS ?? '50,200,1000').split(',').map(Number);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const TURNING = fileURLToPath(new URL('./fixtures/turning.cjs', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const many = join(folder, 'many.cjs');
writeManyFunctions(many, Math.max(...COUNTS));
const env = { ...process.env, FENTRY_CACHE: join(folder, 'cache'), FENTRY_DIR: join(folder, 'run') };
const target = spawn(process.execPath, ['--import', FENTRY, TURNING, many], { env, stdio: ['pipe', 'pipe', 'inherit'] });

async function measure(files, functions, count, isOne) {
  const events = functions.slice(0, count).map((name, i) => ({ name, event: isOne ? 'one' : `e${i}` }));
  await files.write('kprobe_events', events.map(({ name, event }) => `p:many/${event} ${name}`).join('\n'));
  const times = { enabling: [], disabling: [], 'removing a hist trigger': [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.enabling.push(await files.write('events/many/enable', '1'));
    times.disabling.push(await files.write('events/many/enable', '0'));
    if (!isOne) continue;
    await files.write('events/many/one/trigger', 'hist:keys=common_pid');
    times['removing a hist trigger'].push(await files.write('events/many/one/trigger', '!hist:keys=common_pid'));
  }
  await files.write('kprobe_events', '');
  return times;
}

try {
  await once(createInterface({ input: target.stdout }), 'line');
  const socket = join(folder, 'run', `${target.pid}.sock`);
  const files = new TracefsClient(socket);
  const functions = (await files.read('available_filter_functions')).split('\n').filter((name) => /^\w+$/.test(name));
  for (const count of COUNTS) {
    for (const isOne of [true, false]) {
      const name = `${count} probes, ${isOne ? 'one event' : `${count} events`}`;
      try {
        for (const [what, ms] of Object.entries(await measure(files, functions, count, isOne))) {
          if (ms.length === 0) continue;
          const detail = `${((median(ms) * 1000) / count).toFixed(0)} µs a probe, ${Math.min(...ms).toFixed(1)} to ${Math.max(...ms).toFixed(1)} ms in ${ms.length}`;
          verdict({ name: `${what}: ${name}`, ratio: median(ms), unit: ' ms', detail });
        }
      } catch (error) {
        cannot(name, error.message);
      }
    }
  }
} finally {
  target.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
