// What following async contexts costs (option async-context): a loop of awaits, and the shop under load; the same processes with
// the option off, on, and on with pid lists that follow what their tasks start (function-fork).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { FENTRY } from './lib/child.mjs';
import { median } from './lib/pairs.mjs';
import { Shop } from './lib/shop.mjs';
import { TracefsClient } from './lib/tracefs-client.mjs';
import { verdict } from './lib/verdict.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const AWAITS = fileURLToPath(new URL('./fixtures/awaits.cjs', import.meta.url));
const sockets = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const env = { FENTRY_DIR: sockets };

/** Pid 1 is the context in which the program began: all that follows descends from it. */
const MODES = {
  off: { 'options/async-context': '0', 'options/function-fork': '0', set_ftrace_pid: '' },
  on: { 'options/async-context': '1' },
  following: { 'options/function-fork': '1', set_ftrace_pid: '1' },
};

/** Measures each mode in turn, `ROUNDS` times. Returns the medians, by mode. */
async function measured(tracefs, measure) {
  const results = { off: [], on: [], following: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [mode, writes] of Object.entries(MODES)) {
      for (const [file, text] of Object.entries(writes)) await tracefs.write(file, text);
      results[mode].push(await measure());
    }
  }
  return Object.fromEntries(Object.entries(results).map(([mode, values]) => [mode, median(values)]));
}

const loop = spawn(process.execPath, ['--import', FENTRY, AWAITS], {
  env: { ...process.env, ...env },
  stdio: ['pipe', 'pipe', 'inherit'],
});
const lines = createInterface({ input: loop.stdout });
await once(lines, 'line');
const shop = await Shop.start(['--import', FENTRY], env);
try {
  const awaits = await measured(new TracefsClient(join(sockets, `${loop.pid}.sock`)), async () => {
    loop.stdin.write('\n');
    return Number((await once(lines, 'line'))[0].split(' ')[0]);
  });
  await shop.warmUp();
  const costs = await measured(new TracefsClient(join(sockets, `${shop.pid}.sock`)), async () => {
    await shop.load(1500);
    return shop.costs.at(-1) * 1e6;
  });
  for (const mode of ['on', 'following']) {
    verdict({
      name: `await, contexts ${mode}`,
      ratio: awaits[mode] / awaits.off,
      detail: `${awaits[mode].toFixed(0)} ns an await against ${awaits.off.toFixed(0)} with the option off; medians of ${ROUNDS} rounds`,
    });
    verdict({
      name: `express, contexts ${mode}`,
      ratio: costs[mode] / costs.off,
      detail: `${costs[mode].toFixed(0)} µs of CPU a request against ${costs.off.toFixed(0)} with the option off; medians of ${ROUNDS} rounds`,
    });
  }
} finally {
  loop.kill();
  shop.end();
  rmSync(sockets, { recursive: true, force: true });
}
