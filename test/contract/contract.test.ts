import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { finished, Sandbox } from '../e2e/support/program.js';
import { noCompiler, textRefusal } from '../native/native-machine.js';
import { noTraceCmd, traceCmd } from '../trace-dat/trace-cmd.js';
import { javaScript, joinedJavaScript, joinedNative, type Machine, native, shared, simulated } from './machines.js';
import { FIRST_TID } from './simulated/simulated-machine.js';

/** Functions by the texts that they are in; those of a simulated machine lie far apart. */
const PROGRAM = {
  app: { turn: ['first', 'second'] },
  library: { first: ['inner', 'inner'], second: ['inner'] },
  module: { inner: [] },
};
const NAMES = Object.values(PROGRAM).flatMap((functions) => Object.keys(functions));

/** A text without the names of the texts that functions are in: those of a native machine are modules. */
const plain = (text: string): string => text.replace(/[ \t]\[\w+\.so(\.\d+)?\]/g, '');

/** What a trace says of the functions of the program: without tasks, times and durations. */
const calls = (trace: string): string[] =>
  plain(trace)
    .split('\n')
    .filter((line) => !line.startsWith('#') && line !== '')
    .map((line) => line.replace(/^.*?: (?=\w+ <-)/, '').replace(/^[^|]*\| {2}/, ''));

/** A port that the contract's tests run on, and why not all of them can. */
interface KeptBy {
  readonly start: (t: TestContext) => Promise<Machine>;
  /** Present if all tests have one process, because it starts slowly. */
  readonly end?: () => Promise<void>;
  readonly skip?: string | false;
  readonly lacksStackTracer?: string | false;
}

const noJoinedPort = noCompiler || textRefusal() || (process.arch !== 'x64' && `machine code of ${process.arch} is not traced`);

const PORTS: Readonly<Record<string, KeptBy>> = {
  'a simulated machine': { start: (t) => simulated(t) },
  JavaScript: {
    start: javaScript,
    lacksStackTracer: existsSync('/proc/thread-self/syscall') ? false : 'this system does not show how deep a stack is',
  },
  'machine code': { ...shared(native), skip: noCompiler },
  'JavaScript beside machine code': { ...shared(joinedJavaScript), skip: noJoinedPort },
  'machine code beside JavaScript': { ...shared(joinedNative), skip: noJoinedPort },
};

/** Symbols and their addresses, as kallsyms has them. */
const symbolsIn = (list: string): readonly (readonly [name: string, address: string])[] =>
  Array.from(plain(list).matchAll(/^([\da-f]{16}) (?:\w )?(\S+)$/gm), ([, address, name]) => [name!, address!]);

const addressesIn = (list: string): ReadonlyMap<string, string> => new Map(symbolsIn(list));

async function load(machine: Machine): Promise<void> {
  for (const [file, functions] of Object.entries(PROGRAM)) await machine.load(functions, file);
}

/** Every port, with the same program and the same words. */
for (const [name, { start, end, skip = false, lacksStackTracer = false }] of Object.entries(PORTS)) {
  describe(`the contract, kept by ${name}`, { skip }, () => {
    after(() => end?.());

    it('lists functions, filters them, and traces what the filter names', async (t) => {
      const machine = await start(t);
      const { files } = machine;
      await load(machine);
      const listed = plain(await files.read('available_filter_functions')).split('\n');
      for (const one of NAMES) assert.ok(listed.includes(one), one);
      await files.write('set_ftrace_filter', 'first inner');
      await files.write('current_tracer', 'function');
      assert.deepEqual(
        (await files.read('enabled_functions'))
          .trimEnd()
          .split('\n')
          .map((line) => line.split(' ')[0])
          .sort(),
        ['first', 'inner'],
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
      await files.write('set_ftrace_filter', NAMES.join(' '));
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
      await files.write('set_ftrace_filter', 'inne*');
      await files.write('current_tracer', 'function');
      await machine.load({ outer: ['innermost'], innermost: [] }, 'later');
      await machine.call('outer');
      assert.deepEqual(calls(await files.read('trace')), ['innermost <-outer']);
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

    it('gives each function an address, which all files have', async (t) => {
      const machine = await start(t);
      const { files } = machine;
      await load(machine);
      const symbols = addressesIn(await files.read('kallsyms'));
      const lines = plain(await files.read('available_filter_functions_addrs'));
      const list = symbolsIn(lines);
      const own = list.filter(([one]) => NAMES.includes(one)).map(([, address]) => address);
      assert.deepEqual(own, own.toSorted());
      const listed = new Map(list);
      for (const one of NAMES) assert.equal(listed.get(one), symbols.get(one), one);
      await files.write('set_ftrace_filter', String(lines.split('\n').findIndex((line) => line.endsWith(' inner')) + 1));
      assert.equal(plain(await files.read('set_ftrace_filter')), 'inner\n');
      await files.write('current_tracer', 'function');
      await machine.call('second');
      await files.write('trace_options', 'raw');
      const raw = / ([\da-f]+) [\da-f]+$/m.exec(await files.read('trace'))?.[1];
      assert.equal(raw?.padStart(16, '0'), symbols.get('inner'));
      await files.write('trace_options', 'noraw');
      await files.write('trace_options', 'sym-addr');
      assert.match(
        plain(await files.read('trace')),
        new RegExp(`: inner <${symbols.get('inner')}> <-second <[\\da-f]{16}>$`, 'm'),
      );
    });

    it('names the functions on a stack', async (t) => {
      const machine = await start(t);
      const { files } = machine;
      await load(machine);
      await files.write('set_ftrace_filter', 'second inner');
      await files.write('options/func_stack_trace', '1');
      await files.write('current_tracer', 'function');
      await machine.call('turn');
      const stacks = plain(await files.read('trace'))
        .split('<stack trace>\n')
        .slice(1);
      assert.deepEqual(
        stacks.map((stack) => stack.match(/(?<=^ => )\w+$/gm)?.filter((one) => NAMES.includes(one))),
        [
          ['inner', 'first', 'turn'],
          ['inner', 'first', 'turn'],
          ['second', 'turn'],
          ['inner', 'second', 'turn'],
        ],
      );
    });

    it('keeps the deepest stack', { skip: lacksStackTracer }, async (t) => {
      const machine = await start(t);
      const { files } = machine;
      await load(machine);
      await files.write('stack_trace_filter', 'inner');
      await files.write('stack_tracer_enabled', '1');
      await machine.call('turn');
      const deepest = (await files.read('stack_trace')).match(/\w+(?=\+0x[\da-f]+\/0x[\da-f]+)/g);
      assert.deepEqual([deepest?.[0], deepest?.[2]], ['inner', 'turn']);
    });

    it('gives a trace.dat that report reads', async (t) => {
      const machine = await start(t);
      const { files, sandbox, pid } = machine;
      await load(machine);
      await files.write('set_ftrace_filter', NAMES.join(' '));
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

describe('a simulated machine, whose texts lie far apart', () => {
  it('has the addresses of an executable, a library and a module of the kernel', async (t) => {
    const machine = await simulated(t);
    await load(machine);
    const symbols = addressesIn(await machine.files.read('kallsyms'));
    assert.deepEqual(
      ['turn', 'first', 'second', 'inner'].map((name) => symbols.get(name)),
      ['0000555555554000', '00007f1234567000', '00007f1234567010', 'ffffffffa0000000'],
    );
  });

  it('is told from another one in a recording of both, though both have the same addresses', async (t) => {
    const sandbox = new Sandbox(t);
    const machines = [await simulated(t, sandbox), await simulated(t, sandbox)];
    for (const [i, machine] of machines.entries()) {
      await machine.load({ [`app${i}`]: [`library${i}`] }, 'app');
      await machine.load({ [`library${i}`]: [`module${i}`] }, 'library');
      await machine.load({ [`module${i}`]: [] }, 'module');
    }
    const pids = machines.flatMap(({ pid }) => ['--pid', String(pid)]);
    const command = [process.execPath, '-e', 'console.log("traced"); process.stdin.resume()'];
    const record = sandbox.spawnFentry('record', '-p', 'function', ...pids, ...command);
    await once(record.stdout!, 'data');
    for (const [i, machine] of machines.entries()) await machine.call(`app${i}`);
    const { code, stderr } = await finished(record);
    assert.equal(code, 0, stderr);
    const { stdout } = await sandbox.fentry('report', '-O', 'parent', 'trace.dat');
    const expected = machines.flatMap((_, i) => [
      `app${i} <-- [unknown]`,
      `library${i} <-- app${i}`,
      `module${i} <-- library${i}`,
    ]);
    assert.deepEqual(stdout.match(/\w+ <-- .*/g), expected);
    if (noTraceCmd) return t.diagnostic(noTraceCmd);
    const file = join(sandbox.folder, 'trace.dat');
    assert.deepEqual(traceCmd('report', '-O', 'parent', '-i', file).stdout.match(/\w+ <-- .*/g), expected);
  });
});

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
