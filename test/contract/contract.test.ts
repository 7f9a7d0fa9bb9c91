import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { javaScript, type Machine, simulated } from './machines.js';
import { FIRST_TID } from './simulated/simulated-machine.js';

const PROGRAM = { turn: ['first', 'second'], first: ['inner', 'inner'], second: ['inner'], inner: [] };

/** What a trace says of the functions of the program: without tasks, times and durations. */
const calls = (trace: string): string[] =>
  trace
    .split('\n')
    .filter((line) => !line.startsWith('#') && line !== '')
    .map((line) => line.replace(/^.*?: (?=\w+ <-)/, '').replace(/^[^|]*\| {2}/, ''));

async function load(machine: Machine): Promise<void> {
  await machine.load(PROGRAM, 'turns');
}

/** Every port, with the same program and the same words. */
for (const [name, start] of Object.entries({ 'a simulated machine': simulated, JavaScript: javaScript })) {
  describe(`the contract, kept by ${name}`, () => {
    it('lists functions, filters them, and traces what the filter names', async (t) => {
      const machine = await start(t);
      const { files } = machine;
      await load(machine);
      const listed = (await files.read('available_filter_functions')).split('\n');
      for (const one of Object.keys(PROGRAM)) assert.ok(listed.includes(one), one);
      await files.write('set_ftrace_filter', 'first inner');
      await files.write('current_tracer', 'function');
      assert.deepEqual(
        (await files.read('enabled_functions')).split('\n').map((line) => line.split(' ')[0]),
        ['first', 'inner', ''],
      );
      await machine.call('turn');
      assert.deepEqual(calls(await files.read('trace')), ['first <-turn', 'inner <-first', 'inner <-first', 'inner <-second']);
      await files.write('current_tracer', 'nop');
      await machine.call('turn');
      assert.deepEqual(calls(await files.read('trace')), []);
      assert.equal(await files.read('enabled_functions'), '');
    });

    it('draws the graph of a function', async (t) => {
      const machine = await start(t);
      const { files } = machine;
      await load(machine);
      await files.write('set_graph_function', 'first');
      await files.write('current_tracer', 'function_graph');
      await machine.call('turn');
      assert.deepEqual(calls(await files.read('trace')), ['first() {', '  inner();', '  inner();', '}']);
      await files.write('max_graph_depth', '1');
      await files.write('trace', '');
      await machine.call('turn');
      assert.deepEqual(calls(await files.read('trace')), ['first();']);
    });

    it('traces in instances, each by filters of its own', async (t) => {
      const machine = await start(t);
      const { files } = machine;
      await load(machine);
      await files.mkdir('instances/one');
      const one = files.inside('instances/one/');
      await one.write('set_ftrace_filter', 'second');
      await one.write('current_tracer', 'function');
      await files.write('set_ftrace_filter', 'inner');
      await files.write('current_tracer', 'function');
      await machine.call('turn');
      assert.deepEqual(calls(await one.read('trace')), ['second <-turn']);
      assert.deepEqual(calls(await files.read('trace')), ['inner <-first', 'inner <-first', 'inner <-second']);
      await one.write('current_tracer', 'nop');
      await files.rmdir('instances/one');
      await machine.call('second');
      assert.equal(calls(await files.read('trace')).length, 4);
    });

    it('patches a text that is loaded while something is traced', async (t) => {
      const machine = await start(t);
      const { files } = machine;
      await load(machine);
      await files.write('set_ftrace_filter', 'in*');
      await files.write('current_tracer', 'function');
      await machine.load({ outer: ['inside'], inside: [] }, 'later');
      await machine.call('outer');
      assert.deepEqual(calls(await files.read('trace')), ['inside <-outer']);
    });

    it('stops, takes snapshots and resizes without losing what is there', async (t) => {
      const machine = await start(t);
      const { files } = machine;
      await load(machine);
      await files.write('set_ftrace_filter', 'second');
      await files.write('current_tracer', 'function');
      await machine.call('turn');
      await files.write('snapshot', '1');
      assert.deepEqual(calls(await files.read('trace')), []);
      await files.write('tracing_on', '0');
      await machine.call('turn');
      await files.write('tracing_on', '1');
      await machine.call('turn');
      await machine.call('turn');
      await files.write('buffer_size_kb', '64');
      const snapshot = calls(await files.read('snapshot'));
      assert.deepEqual([snapshot, calls(await files.read('trace'))], [['second <-turn'], ['second <-turn', 'second <-turn']]);
    });

    it('gives a trace.dat that report reads', async (t) => {
      const machine = await start(t);
      const { files, sandbox, pid } = machine;
      await load(machine);
      await files.write('set_graph_function', 'first');
      await files.write('current_tracer', 'function_graph');
      await machine.call('turn');
      const extracted = await sandbox.fentry('extract', '--pid', String(pid), '-o', 'out.dat');
      assert.equal(extracted.code, 0, extracted.stderr);
      const { stdout, stderr } = await sandbox.fentry('report', 'out.dat');
      assert.deepEqual(calls(stdout).slice(-4), ['first() {', '  inner();', '  inner();', '}'], stderr);
    });
  });
}

describe('sites that all threads share, as a simulated machine has them', () => {
  it('traces the threads that set_ftrace_pid names, though all of them run the same sites', async (t) => {
    const machine = await simulated(t);
    const { files } = machine;
    await load(machine);
    await files.write('set_ftrace_filter', 'second');
    await files.write('set_ftrace_pid', String(FIRST_TID + 1));
    await files.write('current_tracer', 'function');
    await machine.call('turn 0');
    await machine.call('turn 1');
    assert.deepEqual((await files.read('trace')).match(/\[\d+\]/g), ['[001]']);
    await files.write('set_ftrace_pid', '');
    await machine.call('turn 0');
    assert.deepEqual((await files.read('trace')).match(/\[\d+\]/g)?.sort(), ['[000]', '[001]']);
  });
});
