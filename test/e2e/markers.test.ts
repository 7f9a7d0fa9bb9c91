import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRELOAD, Sandbox, until } from './support/program.js';

const MARKING = `
import { traceMarker, traceMarkerRaw } from '${PRELOAD}';
function beat() {}
traceMarker('ready');
traceMarkerRaw(0xbeef, new Uint8Array([1, 2, 3, 4]));
try { traceMarkerRaw(1, new Uint8Array(3069)); } catch (error) { traceMarker(error.errno); }
setInterval(beat, 2);
`;

test('a program writes marks and data into its own trace', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(MARKING, {}, 'marking.mjs');
  const trace = async (): Promise<string> => (await sandbox.fentry('cat', 'trace')).stdout;
  await until(async () => /EINVAL/.test(await trace()), 'all marks are there');
  assert.deepEqual(
    [...(await trace()).matchAll(/: (tracing_mark_write: \w+|# .*)$/gm)].map(([, what]) => what),
    ['tracing_mark_write: ready', '# beef buf: 01 02 03 04', 'tracing_mark_write: EINVAL'],
  );
});

test('closing free_buffer frees the buffers of a program that goes on, and stops tracing if it is to', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(MARKING, { FENTRY: 'ftrace=function ftrace_filter=beat' }, 'marking.mjs');
  const read = async (path: string): Promise<string> => (await sandbox.fentry('cat', path)).stdout;
  assert.equal((await sandbox.fentry('write', 'free_buffer', 'x')).code, 0);
  assert.equal(await read('buffer_size_kb'), '7\n');
  await until(async () => /: beat <-/.test(await read('trace')), 'the small buffer is written to');
  await sandbox.fentry('write', 'options/disable_on_free', '1');
  await sandbox.fentry('write', 'free_buffer', 'x');
  assert.equal(await read('tracing_on'), '0\n');
});

test('a function with the command dump prints the buffers to the program’s stderr', async (t) => {
  const sandbox = new Sandbox(t);
  const child = await sandbox.start(MARKING, {}, 'marking.mjs');
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  assert.equal((await sandbox.fentry('write', 'set_ftrace_filter', 'beat:dump:1')).code, 0);
  await until(() => /^Dumping ftrace buffer:\n-{33}\n(.*\n)+-{33}\n/m.test(stderr), 'the dump is there');
  assert.match(stderr, /: tracing_mark_write: ready\n/);
});
