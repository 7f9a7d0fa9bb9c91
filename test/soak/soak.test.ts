import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sandbox } from '../e2e/support/program.js';
import { written } from './accounts.js';
import { PipeReader } from './pipe-reader.js';
import { PROGRAM } from './program.js';
import { FOLDERS, INSTANCES, Soaked, TWO_ROUNDS } from './soaked.js';

/** How long the load lasts: `npm run soak` asks for a minute. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 3);
/** How much a process may have grown over the second half of the load, in KiB. */
const FLAT = 48 * 1024;
/** Records of a call. */
const RECORDS = { function: 1, function_graph: 2 } as const;
/** What is written to trace_marker at each folder's end. */
const MARKS = 1;

const residentKb = (pid: number): number => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

async function soak(sandbox: Sandbox, name: string, tracer: keyof typeof RECORDS): Promise<void> {
  const program = await sandbox.start(PROGRAM, { FENTRY: `ftrace=${tracer} ftrace_filter=work trace_buf_size=64K` }, name);
  const client = sandbox.client(program.pid);
  const soaked = new Soaked(program, client);
  for (const folder of INSTANCES) {
    await client.mkdir(folder);
    await client.write(`${folder}buffer_size_kb`, '64');
    await client.write(`${folder}current_tracer`, 'function');
  }
  const pipes = FOLDERS.map((folder) => new PipeReader(client, `${folder}trace_pipe`));

  const start = Date.now();
  let half: number | undefined;
  for (let times = 0; times < TWO_ROUNDS || Date.now() < start + SECONDS * 1000; times++) {
    await soaked.change(times);
    if (Date.now() >= start + SECONDS * 500) half ??= residentKb(program.pid);
    await sleep(5);
  }
  const grown = residentKb(program.pid) - half!;

  const calls = await soaked.phase('end');
  await soaked.settle();
  for (const [index, pipe] of pipes.entries()) {
    const folder = FOLDERS[index]!;
    const accounts = await soaked.finish(folder, pipe);
    const of = `${name} ${folder}`;
    assert.equal(pipe.events, accounts['read events'], `${of}: lines for all records that were read`);
    assert.equal(accounts.entries, 0, `${of}: the pipe was read to its end`);
    assert.equal(pipe.lost, accounts.overrun, `${of}: the pipe told of every record that was overwritten`);
    if (folder !== '') continue;
    assert.equal(
      written(accounts),
      calls.on * RECORDS[tracer] + MARKS,
      `${name}: every call while tracing was on is recorded, or counted as lost`,
    );
  }
  assert.equal(program.exitCode, null, 'it lives');
  // In less time V8 may still be making room for itself.
  if (SECONDS >= 30) assert.ok(grown < FLAT, `memory grew by ${grown} KiB`);
  for (const folder of INSTANCES) await client.rmdir(folder);
  assert.match(await client.read('enabled_functions'), /^work \(1\)[^\n]*\n$/);
}

test('two processes under load whose workers come and go, all pipes read, everything switched: every call is accounted for', async (t) => {
  const sandbox = new Sandbox(t);
  await Promise.all([soak(sandbox, 'first.cjs', 'function'), soak(sandbox, 'second.cjs', 'function_graph')]);
});
