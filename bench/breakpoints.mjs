// Probes in the middle of a function that read a local variable and a property: at a breakpoint and at the site of a statement, against a
// plain conditional breakpoint of the inspector that reads the same.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { REQUIRED } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { TracefsClient } from './lib/tracefs-client.mjs';
import { verdict } from './lib/verdict.mjs';

const FIXTURE = fileURLToPath(new URL('./fixtures/probed-work.cjs', import.meta.url));
const PAIRS = Number(process.env.PAIRS ?? 21);
/** All breakpoints of a thread may have so many hits in a tenth of a second, and more. */
const HITS = 200;
const WINDOW = 110;

const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const children = [];

const start = async (args, options) => {
  const child = fork(FIXTURE, args, options);
  children.push(child);
  await once(child, 'message');
  return async (calls = HITS) => {
    await pause(WINDOW);
    child.send(calls);
    return (await once(child, 'message'))[0];
  };
};

/** A program with a probe on the line of its function's return; `isSite`: what kprobes/list must say of it. */
const probed = async (parameters, isSite) => {
  const env = { ...process.env, FENTRY: parameters, FENTRY_DIR: folder, FENTRY_CACHE: join(folder, 'cache') };
  const run = await start([], { execArgv: ['--require', REQUIRED], env });
  const socket = join(folder, `${children.at(-1).pid}.sock`);
  while (!existsSync(socket)) await pause(20);
  const client = new TracefsClient(socket);
  await client.write('kprobe_events', 'p:hit work:2 total price=order.price');
  await client.write('events/kprobes/hit/enable', '1');
  const listed = await client.read('kprobes/list');
  if (listed.includes('[OPTIMIZED]') !== isSite) throw new Error(`another way than expected: ${listed}`);
  const counts = async () => {
    const [, hits, missed] = (await client.read('kprobe_profile')).trim().split(/\s+/);
    return `${hits} hits, ${missed} missed`;
  };
  return { run, counts };
};

try {
  const plain = await start(['none'], {});
  const conditional = await start(['breakpoint'], {});
  const breakpoint = await probed('instrument=app', false);
  const statement = await probed('statement_sites=app', true);
  const call = await plain();
  for (const run of [conditional, breakpoint.run, statement.run]) for (let i = 0; i < 5; i++) await run();
  const pairs = await measurePairs(breakpoint.run, conditional, PAIRS);
  verdict({
    name: 'a probe at a breakpoint',
    ratio: (pairs.a - call) / (pairs.b - call),
    target: 'at most 1.20',
    detail: `${(pairs.a / 1000).toFixed(1)} us a hit, a plain conditional breakpoint ${(pairs.b / 1000).toFixed(1)}; ${spread(pairs, PAIRS)}; ${await breakpoint.counts()}`,
  });
  for (let i = 0; i < 5; i++) await statement.run(20_000);
  const sites = await measurePairs(() => statement.run(20_000), conditional, PAIRS);
  verdict({
    name: 'a probe at the site of a statement',
    ratio: (sites.a - call) / (sites.b - call),
    detail: `${sites.a.toFixed(0)} ns a hit, a plain conditional breakpoint ${(sites.b / 1000).toFixed(1)} us; ${await statement.counts()}`,
  });
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
