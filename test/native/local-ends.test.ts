import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type Finished, finished, REQUIRED, Sandbox } from '../e2e/support/program.js';
import { noCompiler, textRefusal } from './native-machine.js';

/**
 * `dwell(n, callback)` of the addon goes n calls deep, waits a millisecond there, calls the callback and returns the sum of what
 * the calls have added; `pooled(n)` has four threads of libuv's pool do the same without a callback, and `sum()` says what they
 * have added up to.
 */
const ADDON = `
#include <pthread.h>
#include <unistd.h>
typedef void *env, *value, *info, *work;
extern int napi_get_cb_info(env, info, unsigned long *, value *, value *, void **);
extern int napi_get_value_int64(env, value, long *);
extern int napi_create_int64(env, long, value *);
extern int napi_call_function(env, value, value, unsigned long, const value *, value *);
extern int napi_get_undefined(env, value *);
extern int napi_create_function(env, const char *, unsigned long, value (*)(env, info), void *, value *);
extern int napi_set_named_property(env, value, const char *, value);
extern int napi_create_string_utf8(env, const char *, unsigned long, value *);
extern int napi_create_async_work(env, value, value, void (*)(env, void *), void (*)(env, int, void *), void *, work *);
extern int napi_queue_async_work(env, work);
extern int napi_delete_async_work(env, work);
static long total;
__attribute__((noinline)) long deepest(env e, value callback) {
  value self, result;
  long n = 1;
  usleep(1000);
  if (callback == 0) return n;
  napi_get_undefined(e, &self);
  if (napi_call_function(e, self, callback, 0, 0, &result) != 0) return 0;
  napi_get_value_int64(e, result, &n);
  return n;
}
__attribute__((noinline)) long dwell(env e, value callback, long n) {
  return n > 0 ? dwell(e, callback, n - 1) + 1 : deepest(e, callback);
}
static value js_dwell(env e, info i) {
  unsigned long count = 2;
  value words[2], result = 0;
  long n = 0;
  napi_get_cb_info(e, i, &count, words, 0, 0);
  napi_get_value_int64(e, words[0], &n);
  napi_create_int64(e, dwell(e, words[1], n), &result);
  return result;
}
struct one { work work; long sum; };
static void execute(env e, void *data) { ((struct one *)data)->sum = dwell(e, 0, 20); }
static void complete(env e, int status, void *data) {
  struct one *one = data;
  total += one->sum;
  napi_delete_async_work(e, one->work);
  one->work = 0;
}
static value js_pooled(env e, info i) {
  static struct one works[4];
  value name;
  napi_create_string_utf8(e, "pooled", 6, &name);
  for (int n = 0; n < 4; n++) {
    if (works[n].work) continue;
    napi_create_async_work(e, 0, name, execute, complete, &works[n], &works[n].work);
    napi_queue_async_work(e, works[n].work);
  }
  return 0;
}
static value js_sum(env e, info i) { value result; napi_create_int64(e, total % 21, &result); return result; }
static void add(env e, value exports, const char *name, value (*callback)(env, info)) {
  value function;
  napi_create_function(e, name, (unsigned long)-1, callback, 0, &function);
  napi_set_named_property(e, exports, name, function);
}
value napi_register_module_v1(env e, value exports) {
  add(e, exports, "dwell", js_dwell);
  add(e, exports, "pooled", js_pooled);
  add(e, exports, "sum", js_sum);
  return exports;
}`;

/**
 * The main thread, the pool and two workers have native calls open nearly all the time, until there is a file; then the program
 * ends as it is told.
 */
const PROGRAM = `
const { Worker, isMainThread, workerData, parentPort } = require('node:worker_threads');
const addon = { exports: {} };
process.dlopen(addon, process.env.ADDON);
const { dwell, pooled, sum } = addon.exports;
const how = isMainThread ? process.argv[2] : workerData;
const { existsSync } = require('node:fs');
let wrong = 0;
function inner() { return JSON.parse('{"n": 7}').n; }
function thrown() { throw new RangeError('thrown'); }
function turn() {
  if (dwell(20, inner) !== 27) wrong++;
  try { dwell(5, thrown); wrong++; } catch (error) { if (error.message !== 'thrown') wrong++; }
}
function last() {
  if (wrong > 0 || sum() !== 0) console.log('wrong', wrong, sum());
  console.log(isMainThread ? 'main' : 'worker', 'ends');
  if (!isMainThread) { if (how !== 'terminate') process.exit(); return; }
  if (how === 'exit') dwell(20, () => process.exit(3));
  if (how === 'throw') dwell(20, () => { throw new TypeError('uncaught'); });
  if (how === 'abort') dwell(20, () => process.kill(process.pid, 'SIGTERM'));
}
function goOn() {
  turn();
  if (isMainThread) pooled();
  if (!existsSync(process.env.STOP)) setTimeout(goOn, 0);
  else if (isMainThread) setTimeout(last, 100);
  else parentPort.postMessage('over');
}
if (isMainThread) {
  for (let i = 0; i < 2; i++) {
    const worker = new Worker(__filename, { workerData: how });
    worker.on('message', () => { if (how === 'terminate') worker.terminate(); });
  }
}
goOn();
`;

const ENDS = ['return', 'exit', 'throw', 'terminate', 'abort'] as const;
const FUNCTIONS =
  'turn inner thrown goOn last dwell deepest js_dwell execute uv_run uv_cond_wait uv__work_done uv__io_poll *JsonParser*';

/** What is written while the calls are open, again and again, until the program has ended. */
const SWITCHES: readonly (readonly [string, string])[] = [
  ['current_tracer', 'function_graph'],
  ['current_tracer', 'nop'],
  ['current_tracer', 'function_graph'],
  ['current_tracer', 'function'],
  ['function_profile_enabled', '1'],
  ['function_profile_enabled', '0'],
  ['current_tracer', 'nop'],
];

/** So often all of that is written before the program is told to end. */
const ROUNDS = 'SOAK_SECONDS' in process.env ? 3 : 1;

const words = ({ code, signal, stdout, stderr }: Finished): readonly unknown[] => [
  ...[code, signal],
  stdout.split('\n').sort().join('\n'),
  /^\w+Error: .*/m.exec(stderr)?.[0],
];

async function ends(t: TestContext, how: string, mayReset: boolean): Promise<void> {
  const sandbox = new Sandbox(t);
  const source = join(sandbox.folder, 'addon.c');
  const ADDON_FILE = join(sandbox.folder, 'addon.node');
  writeFileSync(source, ADDON);
  execFileSync('gcc', ['-O1', '-shared', '-fPIC', '-o', ADDON_FILE, source]);
  const program = sandbox.file('program.cjs', PROGRAM);
  const environment = { ADDON: ADDON_FILE, STOP: join(sandbox.folder, 'stop') };
  const plainly = sandbox.run([program, how], environment);
  setTimeout(() => sandbox.file('stop', ''), 200);
  const plain = await plainly;
  rmSync(environment.STOP);
  assert.doesNotMatch(plain.stdout, /wrong/);
  const child = sandbox.spawn(['--require', REQUIRED, program, how], { ...environment, FENTRY: 'native' });
  const over = finished(child);
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  let switched = 0;
  const files = sandbox.client(child.pid!);
  while (!isOver && !existsSync(join(sandbox.sockets, `${child.pid}.sock`)))
    await new Promise((resolve) => setTimeout(resolve, 10));
  const wrote = (file: string, text: string): Promise<void> =>
    files.write(file, text).then(
      () => void switched++,
      () => {},
    );
  await wrote('set_ftrace_filter', FUNCTIONS);
  for (let rounds = 0; !isOver; rounds++) {
    if (rounds === ROUNDS) sandbox.file('stop', '');
    for (const [file, text] of SWITCHES) if (!isOver) await wrote(file, text);
    if (mayReset && !isOver) {
      await sandbox.fentry('reset', '--pid', String(child.pid));
      await wrote('set_ftrace_filter', FUNCTIONS);
    }
  }
  t.diagnostic(`${how}: ${switched} switches`);
  assert.deepEqual(words(await over), words(plain));
  assert.ok(switched > ROUNDS, 'it was switched');
}

describe('native functions that are switched on and off while calls of them are open in all threads', {
  skip: noCompiler || textRefusal(),
}, () => {
  for (const how of ENDS) {
    it(`give the same results in a program that ends by ${how}`, (t) => ends(t, how, how === 'return'));
  }
});
