import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { TraceClient } from '../../src/client/trace-client.js';
import { Sandbox, until } from '../e2e/support/program.js';
import { changedObjects } from './changed-objects.js';
import { FILTER_ACTIONS, filterSource } from './filter-program.js';
import { noCompiler, textRefusal } from './native-machine.js';

type Action = keyof typeof FILTER_ACTIONS;

/**
 * `stride(n)` of the addon, as `step`, from JavaScript; `install(flags)` gives the calling thread, or with
 * SECCOMP_FILTER_FLAG_TSYNC all threads, a seccomp filter.
 */
const ADDON = (action: Action): string => `${filterSource(action)}
typedef void *env, *value, *info;
extern int napi_get_cb_info(env, info, unsigned long *, value *, value *, void **);
extern int napi_get_value_int64(env, value, long *);
extern int napi_create_int64(env, long, value *);
extern int napi_create_function(env, const char *, unsigned long, value (*)(env, info), void *, value *);
extern int napi_set_named_property(env, value, const char *, value);
__attribute__((noinline)) long stride(long n) { asm volatile("" ::: "memory"); return n + 1; }
static long argument(env e, info i) {
  unsigned long count = 1;
  value first;
  long n = 0;
  napi_get_cb_info(e, i, &count, &first, 0, 0);
  napi_get_value_int64(e, first, &n);
  return n;
}
static value number(env e, long n) { value result; napi_create_int64(e, n, &result); return result; }
static value js_step(env e, info i) { return number(e, stride(argument(e, i))); }
static value js_install(env e, info i) { return number(e, install_filter(argument(e, i))); }
value napi_register_module_v1(env e, value exports) {
  value function;
  napi_create_function(e, "step", 4, js_step, 0, &function);
  napi_set_named_property(e, exports, "step", function);
  napi_create_function(e, "install", 7, js_install, 0, &function);
  napi_set_named_property(e, exports, "install", function);
  return exports;
}`;

/** Takes its commands on the main thread, or has a worker obey them. */
const PROGRAM = `
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
const addon = { exports: {} };
process.dlopen(addon, process.env.ADDON);
const { step, install } = addon.exports;
function turn() { return step(1) + step(10); }
const answers = { turn, thread: () => install(0), process: () => install(1) };
if (isMainThread) {
  const worker = new Worker(__filename);
  worker.on('message', (answer) => console.log(answer));
  worker.once('online', () => console.log('ready'));
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const [who, what] = line.split(' ');
    if (who === 'worker') worker.postMessage(what);
    else console.log(answers[what]());
  });
} else parentPort.on('message', (what) => parentPort.postMessage(answers[what]()));
`;
const TURN = '13';

interface Filtered {
  readonly pid: number;
  readonly files: TraceClient;
  readonly sandbox: Sandbox;
  ask(line: string): Promise<string>;
  /** The names of the functions that a turn of the main thread has recorded, in order. */
  traced(): Promise<readonly string[]>;
}

async function started(t: TestContext, action: Action): Promise<Filtered> {
  const sandbox = new Sandbox(t);
  const source = join(sandbox.folder, 'addon.c');
  const addon = join(sandbox.folder, 'steps.node');
  writeFileSync(source, ADDON(action));
  execFileSync('gcc', ['-O1', '-shared', '-fPIC', '-o', addon, source]);
  const child = await sandbox.start(PROGRAM, { FENTRY: 'native', ADDON: addon });
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  child.stderr!.on('data', (chunk) => t.diagnostic(String(chunk)));
  await until(() => output.endsWith('ready\n'), 'the program runs');
  const files = sandbox.client(child.pid);
  const ask = async (line: string): Promise<string> => {
    output = '';
    child.stdin!.write(`${line}\n`);
    await until(() => output.endsWith('\n') || child.exitCode !== null || child.signalCode !== null, `it has answered ${line}`);
    assert.equal(child.signalCode, null, 'the program is ended');
    return output.trim();
  };
  return {
    ...{ pid: child.pid, files, sandbox, ask },
    async traced() {
      await files.write('trace', '');
      assert.equal(await ask('main turn'), TURN);
      return [...(await files.read('trace')).matchAll(/: (\w+)(?: \[[\w.]+\])? <-/g)].map(([, name]) => name!);
    },
  };
}

const BOTH = ['turn', 'stride', 'stride'];
/** Each takes seconds: all of them are tried by `npm run soak`. */
const ACTIONS = (Object.keys(FILTER_ACTIONS) as Action[]).filter((action) => action === 'kill' || 'SOAK_SECONDS' in process.env);
const REFUSED = { errno: 'EPERM', message: /seccomp filter/ };

describe('a process that is traced with its native text and gets a seccomp filter', { skip: noCompiler || textRefusal() }, () => {
  for (const action of ACTIONS) {
    it(`in all threads, which would ${action} a call of fentry, has its JavaScript traced alone`, async (t) => {
      const { pid, files, sandbox, ask, traced } = await started(t, action);
      await files.write('set_ftrace_filter', 'turn stride');
      await files.write('current_tracer', 'function');
      assert.deepEqual(await traced(), BOTH);
      await files.write('current_tracer', 'nop');

      assert.equal(await ask('worker process'), '0');
      await assert.rejects(files.write('current_tracer', 'function'), REFUSED);
      assert.match(await files.read('error_log'), /seccomp filter[\s\S]*Command: stride \[steps\.node\]/);
      assert.deepEqual(changedObjects(pid), []);
      assert.deepEqual(await traced(), ['turn']);
      assert.equal(await ask('worker turn'), TURN);

      // What concerns JavaScript alone is not refused.
      await files.write('current_tracer', 'nop');
      await files.write('set_ftrace_filter', 'turn');
      await files.write('current_tracer', 'function_graph');
      await files.write('buffer_size_kb', '64');
      assert.equal(await ask('main turn'), TURN);
      assert.match(await files.read('trace'), /turn\(\)/);
      await files.write('snapshot', '1');
      await files.write('current_tracer', 'nop');
      await files.append('kprobe_events', 'p:js turn');
      await files.append('kprobe_events', 'p:native stride');
      await files.write('events/kprobes/js/enable', '1');
      await files.write('trace', '');
      assert.equal(await ask('main turn'), TURN);
      assert.match(await files.read('trace'), /js: \(turn/);
      await assert.rejects(files.write('events/kprobes/native/enable', '1'), REFUSED);
      await files.write('events/kprobes/enable', '0');

      const script = sandbox.file('fix.cjs', 'exports.turn = () => 5000;');
      await files.write('livepatch/load', `fix ${script}`);
      await until(async () => (await files.read('livepatch/fix/transition')) === '0\n', 'all threads have gone over');
      assert.equal(await ask('main turn'), '5000');
      const source = sandbox.file('fix-step.c', 'long stride(long n) { return 100; }');
      const object = join(sandbox.folder, 'fix-step.so');
      execFileSync('gcc', ['-shared', '-fPIC', '-o', object, source]);
      await assert.rejects(files.write('livepatch/load', `step ${object}`), { message: /seccomp filter/ });
      await files.write('livepatch/fix/enabled', '0');
      await until(async () => (await ask('main turn')) === TURN, 'the patch is undone');
      assert.deepEqual(changedObjects(pid), []);
    });

    it(`while it is traced, which would ${action} a call of fentry, goes on and records no native function once it is off`, async (t) => {
      const { files, ask, traced } = await started(t, action);
      await files.write('set_ftrace_filter', 'turn stride');
      await files.write('current_tracer', 'function');
      assert.deepEqual(await traced(), BOTH);
      assert.equal(await ask('main process'), '0');
      assert.deepEqual(await traced(), BOTH);
      await assert.rejects(files.write('current_tracer', 'nop'), REFUSED);
      assert.deepEqual(await traced(), []);
      await files.write('current_tracer', 'nop');
      assert.equal(await ask('worker turn'), TURN);
    });
  }

  it('in some threads is traced as before', async (t) => {
    const { pid, files, ask, traced } = await started(t, 'kill');
    assert.equal(await ask('worker thread'), '0');
    await files.write('set_ftrace_filter', 'turn stride');
    await files.write('current_tracer', 'function');
    assert.equal(await ask('main thread'), '0');
    assert.deepEqual(await traced(), BOTH);
    await files.write('current_tracer', 'function_graph');
    await files.write('buffer_size_kb', '64');
    for (const who of ['main', 'worker']) assert.equal(await ask(`${who} turn`), TURN);
    assert.equal([...(await files.read('trace')).matchAll(/ stride \[steps\.node\]\(\)/g)].length, 4);
    await files.write('current_tracer', 'nop');
    assert.deepEqual(changedObjects(pid), []);
  });
});
