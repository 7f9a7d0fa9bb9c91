import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { TraceClient } from '../../src/client/trace-client.js';
import { Sandbox, until } from '../e2e/support/program.js';
import { noTracing, textRefusal } from './native-machine.js';

/** `quote(callback)` prices an order and calls its argument. */
const ADDON = `
typedef void *env, *value, *info;
extern int napi_get_cb_info(env, info, unsigned long *, value *, value *, void **);
extern int napi_call_function(env, value, value, unsigned long, const value *, value *);
extern int napi_get_undefined(env, value *);
extern int napi_create_function(env, const char *, unsigned long, value (*)(env, info), void *, value *);
struct order { int id; const char *name; };
int sold;
__attribute__((noinline)) long price(struct order *order, int count, char tag) {
  sold += count;
  return order->id * count;
}
__attribute__((noinline)) value quote(env e, info i) {
  unsigned long count = 1;
  value callback, self, result = 0;
  struct order order = { 7, "ann" };
  volatile long sum = price(&order, 3, 'A');
  napi_get_cb_info(e, i, &count, &callback, 0, 0);
  napi_get_undefined(e, &self);
  napi_call_function(e, self, callback, 0, 0, &result);
  return result;
}
value napi_register_module_v1(env e, value exports) {
  value function;
  napi_create_function(e, "quote", 5, quote, 0, &function);
  return function;
}`;

const PROGRAM = `
const addon = { exports: {} };
process.dlopen(addon, process.env.ADDON);
const quote = addon.exports;
function discount() { return 5; }
function order(n, who) { return quote(discount); }
function turn() { return order(3, 'bob'); }
require('node:readline').createInterface({ input: process.stdin }).on('line', () => console.log(turn()));
console.log('ready');
`;

interface Shop {
  readonly files: TraceClient;
  readonly addon: string;
  turn(): Promise<void>;
}

/** The program, with fentry tracing both its JavaScript and its native text. */
async function shop(t: TestContext): Promise<Shop> {
  const sandbox = new Sandbox(t);
  const source = join(sandbox.folder, 'shop.c');
  const addon = join(sandbox.folder, 'shop.node');
  writeFileSync(source, ADDON);
  execFileSync('gcc', ['-g', '-O1', '-fno-omit-frame-pointer', '-shared', '-fPIC', '-o', addon, source]);
  const child = await sandbox.start(PROGRAM, { FENTRY: 'native', ADDON: addon, FENTRY_CACHE: '' });
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  await until(() => output.endsWith('ready\n'), 'the program runs');
  return {
    files: sandbox.client(child.pid),
    addon,
    async turn() {
      output = '';
      child.stdin!.write('\n');
      await until(() => output === '5\n', 'the program has answered');
    },
  };
}

/** The lines of a trace from the cpu on, without times. */
const lines = (trace: string): string[] =>
  Array.from(trace.matchAll(/(\[\d+\]) \S+ +\d+\.\d+: (.*)/g), ([, cpu, text]) =>
    `${cpu} ${text}`.replace(/0x[\da-f]{6,}/g, 'ADDRESS'),
  );

/** Registers of a function's first two arguments. */
const [FIRST, SECOND] = process.arch === 'arm64' ? ['%x0', '%x1'] : ['%di', '%si'];

const FUNCTIONS = 'turn order discount quote price';

describe('JavaScript and native text of one process', { skip: noTracing || textRefusal() }, () => {
  it('have probes, instances, a profiler and a deepest stack', async (t) => {
    const { files, addon, turn } = await shop(t);
    // Each by its own words: the names of JavaScript, registers, and the names of the addon's debug information.
    await files.append('kprobe_events', 'p:js order n who:string');
    await files.append('kprobe_events', `p:native price count=${SECOND}:s32 name=+0(+8(${FIRST})):string sold=@sold:s32`);
    await files.append('kprobe_events', 'p:named price order->id order->name tag');
    await files.append('kprobe_events', 'r:result price ret=$retval:s64');
    await files.append('uprobe_events', 'p:line shop.c:18 count');
    await files.append('uprobe_events', 'p:body program.cjs:5');
    await assert.rejects(files.append('kprobe_events', 'p:bad order %none'), /Invalid register name/);
    await assert.rejects(
      files.append('kprobe_events', 'p:bad price who'),
      /BAD_FETCH_ARG|Invalid fetch argument|no variable|who/,
    );
    await files.write('events/kprobes/enable', '1');
    await files.write('events/uprobes/enable', '1');
    await turn();
    assert.deepEqual(
      lines(await files.read('trace')).map((line) => line.replace(/\+0x[\da-f]+\/0x[\da-f]+/g, '')),
      [
        '[000] js: (order) n=3 who="bob"',
        '[000] named: (price [shop.node]) id=7 name="ann" tag=\'A\'',
        '[000] native: (price [shop.node]) count=3 name="ann" sold=0',
        '[000] result: (quote [shop.node] <- price [shop.node]) ret=21',
        '[000] line: (quote [shop.node]) count=1',
        '[000] body: (discount)',
      ],
    );

    // Triggers run where the event's own text is: in the thread, or in the control thread.
    for (const [event, key] of [
      ['js', 'n'],
      ['named', 'id'],
    ]) {
      await files.write(`events/kprobes/${event}/trigger`, `hist:keys=${key}`);
      await turn();
      await until(async () => /Hits: 1\n/.test(await files.read(`events/kprobes/${event}/hist`)), `${event} is counted`);
      await files.write(`events/kprobes/${event}/trigger`, `!hist:keys=${key}`);
    }
    await files.write('events/kprobes/js/trigger', 'stacktrace');
    await assert.rejects(files.write('events/kprobes/named/trigger', 'stacktrace'), /its stack is gone/);
    await files.write('events/kprobes/js/trigger', '!stacktrace');
    await files.write('events/kprobes/enable', '0');
    await files.write('events/uprobes/enable', '0');
    assert.ok((await files.read('uprobe_events')).includes('shop.c:18'));
    assert.ok(addon.endsWith('shop.node'));

    await files.mkdir('instances/one');
    const one = files.inside('instances/one/');
    await one.write('set_ftrace_filter', FUNCTIONS);
    await one.write('current_tracer', 'function');
    await turn();
    assert.deepEqual(
      lines(await one.read('trace')).map((line) => line.replace(/ <-.*/, '')),
      ['[000] turn', '[000] order', '[000] quote', '[000] price', '[000] discount'],
    );
    await one.write('current_tracer', 'nop');

    await files.write('set_ftrace_filter', FUNCTIONS);
    await files.write('function_profile_enabled', '1');
    await turn();
    await turn();
    await files.write('function_profile_enabled', '0');
    const rows = [...(await files.read('trace_stat/function0')).matchAll(/^ {2}(\w+) +(\d+) +[\d.]+ us/gm)];
    assert.deepEqual(
      rows.map(([, name, hits]) => `${name} ${hits}`),
      ['turn 2', 'order 2', 'quote 2', 'discount 2', 'price 2'],
    );

    await files.write('stack_trace_filter', 'price');
    await files.write('stack_tracer_enabled', '1');
    await turn();
    const deepest = [...(await files.read('stack_trace')).matchAll(/^ *\d+\) +\d+ +\d+ {3}([\w.]+)\+/gm)].map(([, name]) => name);
    assert.deepEqual(deepest.slice(0, 2), ['price', 'quote']);
    assert.ok(deepest.includes('uv_run'), deepest.join());
    await files.write('stack_tracer_enabled', '0');
  });
});
