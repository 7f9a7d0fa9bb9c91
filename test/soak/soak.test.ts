import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TraceClient } from '../../src/client/trace-client.js';
import { Sandbox } from '../e2e/support/program.js';
import { accountsOf, written } from './accounts.js';
import { PipeReader } from './pipe-reader.js';
import { PROGRAM } from './program.js';

/** How long the load lasts: `npm run soak` asks for a minute. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 3);
const INSTANCES = ['one', 'two', 'three'];
/** What the filters of the instances are rewritten to, over and over. */
const FILTERS = ['work', 'parse read', '*r*', 'fail', 'work render\nescape', '!*', 'no*such', ''];
/** One write in so many also gives the top level's buffers another size. */
const RESIZED = 7;
/** How much a process may have grown over the second half of the load, in KiB. */
const FLAT = 48 * 1024;

const residentKb = (pid: number): number => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

/** A word that matches nothing; or a thread that the machine did not let run for a second. */
const expectRefusal = (error: { readonly errno: string }): void => assert.match(error.errno, /^(EINVAL|ETIMEDOUT)$/);

/** Rewrites filters, and resizes buffers, until the time is over; returns how often. */
async function rewriteFilters(client: TraceClient, until: number): Promise<number> {
  let times = 0;
  for (; Date.now() < until; times++) {
    const instance = INSTANCES[times % INSTANCES.length]!;
    const filter = FILTERS[(times * 5 + 3) % FILTERS.length]!;
    await client.write(`instances/${instance}/set_ftrace_filter`, `${filter}\n`).catch(expectRefusal);
    if (times % RESIZED === 0) await client.write('buffer_size_kb', `${32 << (times % 4)}\n`).catch(expectRefusal);
    await sleep(5);
  }
  return times;
}

async function soak(sandbox: Sandbox, name: string): Promise<void> {
  const program = await sandbox.start(PROGRAM, { FENTRY: 'ftrace=function ftrace_filter=work trace_buf_size=64K' }, name);
  const client = sandbox.client(program.pid);
  const pipes = new Map([['', new PipeReader(client, 'trace_pipe')]]);
  for (const instance of INSTANCES) {
    await client.mkdir(`instances/${instance}`);
    await client.write(`instances/${instance}/buffer_size_kb`, '64');
    await client.write(`instances/${instance}/current_tracer`, 'function');
    pipes.set(`instances/${instance}/`, new PipeReader(client, `instances/${instance}/trace_pipe`));
  }

  const end = Date.now() + SECONDS * 1000;
  const rewriting = rewriteFilters(client, end);
  await sleep((SECONDS * 1000) / 2);
  const half = residentKb(program.pid);
  assert.ok((await rewriting) > 0, 'filters were rewritten');
  const grown = residentKb(program.pid) - half;

  const said = once(program.stdout!, 'data');
  program.kill('SIGUSR2');
  const calls = (JSON.parse(String(await said)) as number[]).reduce((sum, one) => sum + one, 0);
  for (const [folder, pipe] of pipes) {
    await client.write(`${folder}tracing_on`, '0');
    await pipe.ended;
    const accounts = await accountsOf(client, folder);
    const of = `${name} ${folder}`;
    assert.equal(pipe.events, accounts['read events'], `${of}: as many lines as records that were read`);
    assert.equal(accounts.entries, 0, `${of}: the pipe was read to its end`);
    assert.equal(pipe.lost, accounts.overrun, `${of}: the pipe told of every record that was overwritten`);
    if (folder === '') assert.equal(written(accounts), calls, `${of}: every call is a record, or counted as lost`);
  }
  assert.equal(program.exitCode, null, 'it lives');
  // In less time V8 may still be making room for itself.
  if (SECONDS >= 30) assert.ok(grown < FLAT, `memory grew by ${grown} KiB`);
  for (const instance of INSTANCES) await client.rmdir(`instances/${instance}`);
  assert.match(await client.read('enabled_functions'), /^work \(1\)[^\n]*\n$/);
}

test('two processes under load, three instances each, all pipes read, filters rewritten: every call is accounted for', async (t) => {
  const sandbox = new Sandbox(t);
  await Promise.all([soak(sandbox, 'first.cjs'), soak(sandbox, 'second.cjs')]);
});
