import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const PROGRAM = `
function inner(value) { return value * 2; }
function other() {}
function outer(name) { other(); return inner(name.length); }
setInterval(() => outer('page'), 10);
`;
/** What the command writes, with the values of before. */
const SETTINGS = ['current_tracer', 'set_graph_function', 'set_ftrace_filter', 'options/places', 'options/funcgraph-args'];

test('the next call of a function, with what it calls; afterwards all settings are as before', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const client = sandbox.client(pid);
  const settings = (): Promise<readonly string[]> => Promise.all(SETTINGS.map((path) => client.read(path)));
  const before = await settings();
  const { stdout, stderr, code } = await sandbox.fentry('calls', '-d', '60', 'outer');
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^.*?\| {2}/, '').replaceAll(/ \/\* (?:\S*\/)?program\.cjs/g, ' /* program.cjs')),
    [
      'outer(name="page") { /* program.cjs:4 */',
      '  other(); /* program.cjs:3 */',
      '  inner(value=4); /* program.cjs:2 */ /* ret=8 */',
      '} /* outer ret=8 */',
    ],
  );
  assert.deepEqual(await settings(), before);

  const mistyped = await sandbox.fentry('calls', 'outre');
  assert.equal(mistyped.code, 1);
  assert.match(mistyped.stderr, /no function matches outre; did you mean outer\?/);
  assert.deepEqual(await settings(), before);

  // One that is killed leaves nothing either.
  const killed = sandbox.spawnFentry('calls', '-n', '1000', '-d', '600', 'outer');
  await until(async () => (await client.read('current_tracer')) === 'function_graph\n', 'it traces');
  const second = await sandbox.fentry('calls', 'outer');
  assert.match(second.stderr, /the tracer function_graph is on/);
  killed.kill('SIGKILL');
  await until(async () => (await settings()).join('') === before.join(''), 'the settings are as before');
});
