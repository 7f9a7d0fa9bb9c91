import assert from 'node:assert/strict';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const COUNT = 1000;
/** Characters of a name in trace_stat. */
const SHOWN = 30;
const PROGRAM = `
const ts = require(${JSON.stringify(resolve('node_modules/typescript'))});
const compile = () => {
  const files = [${JSON.stringify(resolve('src/v8/instrument/walk.ts'))}];
  const program = ts.createProgram(files, { noLib: true, noResolve: true, target: ts.ScriptTarget.ES5 });
  program.getSemanticDiagnostics();
  program.emit(undefined, () => {});
};
// What it does only once is done.
compile();
process.on('SIGUSR2', compile);
setInterval(() => {}, 1000);
process.stdout.write('ready');
`;

test('a thousand probes of the TypeScript compiler at once are all hit, and leave nothing when they are gone', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(PROGRAM);
  const client = sandbox.client(program.pid);
  const linesOf = async (file: string): Promise<readonly string[]> => (await client.read(file)).split('\n').slice(0, -1);
  await once(program.stdout!, 'data');

  const listed = (await linesOf('available_filter_functions')).filter((line) => line.endsWith(' [typescript]'));
  const names = listed.map((line) => line.split(' ')[0]!);
  const count = new Map<string, number>();
  for (const name of names) count.set(name, (count.get(name) ?? 0) + 1);
  await client.write('function_profile_enabled', '1');
  program.kill('SIGUSR2');
  const called = async (): Promise<readonly string[]> =>
    (await linesOf('trace_stat/function0'))
      .slice(2)
      .map((line) => line.trim().split(/\s+/)[0]!)
      .filter((name) => count.get(name) === 1 && name.length < SHOWN && !/[:+]/.test(name));
  await until(async () => (await called()).length >= COUNT, 'so many functions have been called');
  await client.write('function_profile_enabled', '0');
  const chosen = (await called()).slice(0, COUNT);

  await client.write('kprobe_events', chosen.map((name, i) => `p:many/p${i} typescript:${name}`).join('\n'));
  await client.write('events/many/enable', '1');
  assert.equal((await linesOf('enabled_functions')).length, COUNT);
  program.kill('SIGUSR2');
  const hit = async (): Promise<readonly string[]> =>
    (await linesOf('kprobe_profile')).filter((line) => / [1-9]\d* +0$/.test(line));
  await until(async () => (await hit()).length === COUNT, 'all have been hit, and no hit was missed');

  await client.write('events/many/enable', '0');
  assert.deepEqual(await linesOf('enabled_functions'), []);
  await client.write('kprobe_events', '');
  assert.deepEqual(await linesOf('kprobe_profile'), []);
  assert.deepEqual(
    (await linesOf('available_events')).filter((name) => name.startsWith('many:')),
    [],
  );
});
