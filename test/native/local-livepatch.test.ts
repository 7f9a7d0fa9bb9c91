import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { TraceClient } from '../../src/client/trace-client.js';
import { Sandbox, until } from '../e2e/support/program.js';
import { changedObjects } from './changed-objects.js';
import { noCompiler, textRefusal } from './native-machine.js';

/**
 * `price(n)` and `slow(n)` of the addon, from JavaScript; `pooled()` has a thread of libuv's pool call `price`; `hold()` has a
 * thread of its own wait in `slow`, and `go()` lets it leave. `mixed()` says how often a thread of the pool got a wrong answer
 * after the right one.
 */
const ADDON = `
#include <pthread.h>
#include <unistd.h>
typedef void *env, *value, *info, *work;
extern int napi_get_cb_info(env, info, unsigned long *, value *, value *, void **);
extern int napi_get_value_int64(env, value, long *);
extern int napi_create_int64(env, long, value *);
extern int napi_create_function(env, const char *, unsigned long, value (*)(env, info), void *, value *);
extern int napi_set_named_property(env, value, const char *, value);
extern int napi_create_string_utf8(env, const char *, unsigned long, value *);
extern int napi_create_async_work(env, value, value, void (*)(env, void *), void (*)(env, int, void *), void *, work *);
extern int napi_queue_async_work(env, work);
extern int napi_delete_async_work(env, work);
static volatile int held, inside, mixes;
static volatile long left;
static __thread int waits;
static __thread long last;
__attribute__((noinline)) long price(long n) { asm volatile("" ::: "memory"); return n * 2; }
__attribute__((noinline)) long slow(long n) {
  if (waits) inside = 1;
  while (held && waits) usleep(1000);
  asm volatile("" ::: "memory");
  return price(n) + 1;
}
static void *waiter(void *none) { waits = 1; left = slow(7); inside = 0; return 0; }
static long argument(env e, info i) {
  unsigned long count = 1;
  value first;
  long n = 0;
  napi_get_cb_info(e, i, &count, &first, 0, 0);
  napi_get_value_int64(e, first, &n);
  return n;
}
static value number(env e, long n) { value result; napi_create_int64(e, n, &result); return result; }
static value js_price(env e, info i) { return number(e, price(argument(e, i))); }
value js_slow(env e, info i) { return number(e, slow(argument(e, i))); }
static value js_mixed(env e, info i) { int now = mixes; mixes = 0; return number(e, now); }
static value js_hold(env e, info i) {
  pthread_t thread;
  held = 1;
  pthread_create(&thread, 0, waiter, 0);
  while (!inside) usleep(1000);
  return number(e, 1);
}
static value js_go(env e, info i) { held = 0; while (inside) usleep(1000); return number(e, left); }
static void execute(env e, void *data) { long now = price(7); if (now < last) mixes++; last = now; }
static void complete(env e, int status, void *data) { napi_delete_async_work(e, *(work *)data); *(work *)data = 0; }
static value js_pooled(env e, info i) {
  static work works[64];
  value name;
  napi_create_string_utf8(e, "pooled", 6, &name);
  for (int one = 0; one < 64; one++) {
    if (works[one]) continue;
    napi_create_async_work(e, 0, name, execute, complete, &works[one], &works[one]);
    napi_queue_async_work(e, works[one]);
    break;
  }
  return 0;
}
static void add(env e, value exports, const char *name, value (*callback)(env, info)) {
  value function;
  napi_create_function(e, name, (unsigned long)-1, callback, 0, &function);
  napi_set_named_property(e, exports, name, function);
}
value napi_register_module_v1(env e, value exports) {
  add(e, exports, "price", js_price);
  add(e, exports, "slow", js_slow);
  add(e, exports, "mixed", js_mixed);
  add(e, exports, "hold", js_hold);
  add(e, exports, "go", js_go);
  add(e, exports, "pooled", js_pooled);
  return exports;
}`;

/**
 * The main thread, its pool and two workers ask for prices all the time; each counts when a right answer is followed by a wrong
 * one.
 */
const PROGRAM = `
const { Worker, isMainThread, workerData } = require('node:worker_threads');
const addon = { exports: {} };
process.dlopen(addon, process.env.ADDON);
const { price, slow, mixed, hold, go, pooled } = addon.exports;
const counts = isMainThread ? new Int32Array(new SharedArrayBuffer(8)) : workerData;
let last = 0;
function asks() {
  for (let i = 0; i < 100; i++) {
    const now = price(7);
    if (now < last) Atomics.add(counts, 0, 1);
    last = now;
  }
  if (isMainThread) pooled();
  Atomics.add(counts, 1, 1);
  setTimeout(asks, 1);
}
function total() { return price(7) + 1000; }
asks();
if (isMainThread) {
  for (let i = 0; i < 2; i++) new Worker(__filename, { workerData: counts });
  const answers = {
    price: () => price(7), slow: () => slow(7), hold, go, total,
    cores: () => require('node:os').availableParallelism(),
    mixed: () => mixed() + Atomics.exchange(counts, 0, 0),
    turns: () => Atomics.load(counts, 1),
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => console.log(answers[line]()));
  console.log('ready');
}
`;

/**
 * When it is asked for that, calls `slow` from places of the stack that are less and less deep, and then waits: its event loop
 * keeps on the stack what these calls have left there.
 */
const IDLE = `
const addon = { exports: {} };
process.dlopen(addon, process.env.ADDON);
const { slow } = addon.exports;
function deeper(more) { return more > 0 ? deeper(more - 1) : slow(7); }
function leaves() { for (let depth = 200; depth >= 0; depth--) deeper(depth); }
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'leave') setTimeout(leaves, 100);
  console.log(slow(7));
});
console.log('ready');
`;

const FIX = `
static long times(long n) { return n * 3; }
long price(long n) { return times(n); }`;
const SLOW = 'long slow(long n) { return 100 + n; }';
const JS_SLOW = `
extern int napi_create_int64(void *, long, void **);
void *js_slow(void *e, void *i) { void *result; napi_create_int64(e, 107, &result); return result; }`;

interface Patched {
  readonly pid: number;
  readonly files: TraceClient;
  readonly sandbox: Sandbox;
  /** Sends a line to the program, and returns what it answers. */
  ask(line: string): Promise<string>;
  /** A shared object of this source. */
  object(name: string, source: string): string;
  settled(name: string): Promise<void>;
  gone(name: string): Promise<void>;
}

function compiled(sandbox: Sandbox, name: string, source: string): string {
  const file = join(sandbox.folder, `${name}.c`);
  const path = join(sandbox.folder, name);
  writeFileSync(file, source);
  execFileSync('gcc', ['-O1', '-shared', '-fPIC', '-pthread', '-o', path, file]);
  return path;
}

async function started(t: TestContext, program = PROGRAM): Promise<Patched> {
  const sandbox = new Sandbox(t);
  const addon = compiled(sandbox, 'shop.node', ADDON);
  // Without a cache, in which fentry stores files on the program's thread some time later: that would write over what is on its
  // stack.
  const child = await sandbox.start(program, { FENTRY: 'native', ADDON: addon, FENTRY_CACHE: '' });
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  child.stderr!.on('data', (chunk) => t.diagnostic(String(chunk)));
  await until(() => output.endsWith('ready\n'), 'the program runs');
  const files = sandbox.client(child.pid);
  const names = async (): Promise<readonly string[]> => (await files.list('livepatch')).map(({ name }) => name);
  return {
    ...{ pid: child.pid, files, sandbox },
    async ask(line) {
      output = '';
      child.stdin!.write(`${line}\n`);
      await until(() => output.endsWith('\n'), `the program has answered ${line}`);
      return output.trim();
    },
    object: (name, source) => compiled(sandbox, name, source),
    settled: (name) =>
      until(async () => (await files.read(`livepatch/${name}/transition`)) === '0\n', `the transition of ${name} is over`),
    gone: (name) => until(async () => !(await names()).includes(name), `${name} is undone`),
  };
}

/** All threads of the program have asked for prices again. */
async function turned({ ask }: Patched): Promise<void> {
  const before = Number(await ask('turns'));
  await until(async () => Number(await ask('turns')) > before + 30, 'the threads go on');
}

describe('live patches of native functions of the own process', { skip: noCompiler || textRefusal() }, () => {
  it('replace functions of an addon under load, beside one of JavaScript, and are undone exactly', async (t) => {
    const machine = await started(t);
    const { pid, files, sandbox, ask, object, settled, gone } = machine;
    await files.write('set_ftrace_filter', 'price:mod:shop.node');
    await files.write('current_tracer', 'function');
    await files.write('current_tracer', 'nop');
    assert.equal(await ask('total'), '1014');
    const fix = object('fix-price.so', FIX);
    const { stdout, stderr } = await sandbox.fentry('livepatch', '--pid', String(pid), fix);
    assert.equal(stderr, '');
    assert.equal(stdout, 'fix-price: enabled\n  shop.node/price,1\n');
    assert.equal(await ask('price'), '21');
    assert.match(await files.read('enabled_functions'), /^price \[shop\.node\] \(1\) R I/m);
    assert.ok(changedObjects(pid).includes('shop.node'));

    const script = sandbox.file('fix-total.cjs', 'exports.total = () => 5000;');
    await files.write('livepatch/load', `fix-total ${script}`);
    await settled('fix-total');
    assert.equal(await ask('total'), '5000');
    await turned(machine);
    assert.equal(await ask('mixed'), '0');

    // Tracers and probes see it as before, and JavaScript around it.
    await files.write('kprobe_events', 'r:answered shop.node:price ret=$retval:s64');
    await files.write('events/kprobes/answered/enable', '1');
    await files.write('set_ftrace_filter', 'asks price:mod:shop.node');
    await files.write('current_tracer', 'function_graph');
    await turned(machine);
    const trace = await files.read('trace');
    assert.match(trace, /asks\(\) \{/);
    assert.match(trace, /price \[shop\.node\]\(\)/);
    assert.match(trace, /ret=21/);
    assert.doesNotMatch(trace, /ret=14/);
    await files.write('current_tracer', 'nop');
    await files.write('events/kprobes/answered/enable', '0');
    await files.write('kprobe_events', '');

    await sandbox.fentry('livepatch', '--pid', String(pid), '--undo', 'fix-price');
    await gone('fix-price');
    assert.equal(await ask('price'), '14');
    assert.equal(await ask('total'), '5000');
    await files.write('livepatch/fix-total/enabled', '0');
    await gone('fix-total');
    assert.equal(await ask('total'), '1014');
    await turned(machine);
    assert.equal(await files.read('enabled_functions'), '');
    assert.deepEqual(changedObjects(pid), []);
  });

  it('take each thread over when it has left the old code, or by force', async (t) => {
    const machine = await started(t);
    const { files, ask, object, settled, gone } = machine;
    const both = object('both.so', `${FIX}\n${SLOW}`);
    await ask('hold');
    await files.write('livepatch/load', `both ${both}`);
    assert.equal(await files.read('livepatch/both/enabled'), '1\n');
    // Others have gone over; what the one that has not calls is old code too: 7 * 2 + 1.
    await until(async () => (await ask('slow')) === '107', 'the main thread runs the new code');
    assert.equal(await files.read('livepatch/both/transition'), '1\n');
    assert.equal(await ask('go'), '15');
    await settled('both');
    assert.equal(await ask('slow'), '107');
    await assert.rejects(files.write('livepatch/load', `other ${object('other.so', SLOW)}`), { errno: 'EBUSY' });
    await files.write('livepatch/both/enabled', '0');
    await gone('both');
    assert.equal(await ask('slow'), '15');
    // A transition that is turned round is over at once for what has not gone over.
    await ask('hold');
    await files.write('livepatch/load', `again ${both}`);
    assert.equal(await files.read('livepatch/again/transition'), '1\n');
    await files.write('livepatch/again/enabled', '0');
    await gone('again');
    assert.equal(await ask('slow'), '15');
    await files.write('livepatch/load', `forced ${both}`);
    await files.write('livepatch/forced/force', '1');
    await settled('forced');
    // Old and new code are mixed: 7 * 3 + 1.
    assert.equal(await ask('go'), '22');
    assert.equal(await ask('slow'), '107');
    await files.write('livepatch/forced/enabled', '0');
    await gone('forced');
    assert.equal(await ask('slow'), '15');
  });

  it('do not take what ended calls have left on the stack of a thread that waits for open ones', async (t) => {
    const { files, ask, object, settled, gone } = await started(t, IDLE);
    const fix = object('slow.so', JS_SLOW);
    await ask('leave');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await files.write('livepatch/load', `slow ${fix}`);
    await settled('slow');
    assert.equal(await ask(''), '107');
    await files.write('livepatch/slow/enabled', '0');
    await gone('slow');
    assert.equal(await ask(''), '15');
  });

  it("replace functions of Node's executable, and are refused with the reason", async (t) => {
    const { pid, files, ask, object, settled, gone } = await started(t);
    await files.write('livepatch/load', `cores ${object('cores.so', 'unsigned uv_available_parallelism(void) { return 42; }')}`);
    await settled('cores');
    assert.equal(await ask('cores'), '42');
    assert.deepEqual(
      (await files.list('livepatch/cores/node')).map(({ name }) => name).filter((name) => name !== 'patched'),
      ['uv_available_parallelism,1'],
    );
    await files.write('livepatch/cores/enabled', '0');
    await gone('cores');
    assert.equal(await ask('cores'), String(availableParallelism()));

    const refused = (path: string): Promise<void> => files.write('livepatch/load', `bad ${path}`);
    await assert.rejects(refused(object('nosuch.so', 'long nosuch(void) { return 1; }')), {
      errno: 'EINVAL',
      message: /no function of the program is called nosuch/,
    });
    // Functions of JavaScript are not replaced by machine code.
    await assert.rejects(refused(object('total.so', 'long total(void) { return 1; }')), {
      errno: 'EINVAL',
      message: /called total/,
    });
    await assert.rejects(refused(object('missing.so', 'long lost(void); long price(long n) { return lost(); }')), {
      errno: 'EINVAL',
      message: /undefined symbol: lost/,
    });
    await assert.rejects(refused('/bin/sh'), { errno: 'EINVAL', message: /cannot dynamically load/ });
    await assert.rejects(refused('/nowhere.so'), { errno: 'ENOENT' });
    assert.match(await files.read('error_log'), /no function of the program is called nosuch/);
    assert.equal(await files.read('enabled_functions'), '');
    assert.deepEqual(changedObjects(pid), []);
    assert.equal(await ask('slow'), '15');
  });
});
