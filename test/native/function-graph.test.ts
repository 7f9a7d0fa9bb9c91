import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { until } from '../e2e/support/program.js';
import { noTraceCmd, traceCmd } from '../trace-dat/trace-cmd.js';
import { noTracing, traced } from './native-machine.js';

/** For each line: `turn` calls `first` and `second`, which call `inner` twice and once; then a longjmp out of three frames. */
const PROGRAM = `
#include <setjmp.h>
#include <stdio.h>
#define FUNCTION __attribute__((noinline)) void
static jmp_buf back;
FUNCTION inner(void) { asm volatile(""); }
FUNCTION first(void) { inner(); inner(); asm volatile(""); }
FUNCTION second(void) { inner(); asm volatile(""); }
FUNCTION turn(void) { first(); second(); asm volatile(""); }
FUNCTION jumps(void) { longjmp(back, 1); }
FUNCTION outer(void) { jumps(); asm volatile(""); }
int main(void) {
  setbuf(stdout, 0);
  puts("ready");
  while (getchar() != EOF) {
    turn();
    if (setjmp(back) == 0) outer();
    inner();
    puts("done");
  }
}`;
/** For each line: `ask` calls three functions, and returns 42. */
const RESULTS = `
#include <errno.h>
#include <stdio.h>
__attribute__((noinline)) long large(void) { asm volatile(""); return 0x123456789abcdef0; }
__attribute__((noinline)) int small(void) { asm volatile(""); return -EINVAL; }
__attribute__((noinline)) void *none(void) { asm volatile(""); return 0; }
__attribute__((noinline)) unsigned char ask(void) {
  int all = large() != 0 && small() && !none() ? 42 : 7;
  asm volatile("" : "+r"(all));
  return all;
}
int main(void) {
  setbuf(stdout, 0);
  puts("ready");
  while (getchar() != EOF) puts(ask() == 42 ? "done" : "wrong");
}`;
const OPTIONS = ['-fpatchable-function-entry=5'];

/** The calls of a graph, without cpus, times and durations. */
const calls = (trace: string): string[] =>
  trace
    .split('\n')
    .filter((line) => !line.startsWith('#') && line !== '')
    .map((line) => line.replace(/^[^|]*\| {2}/, ''));

const TURN = ['turn() {', '  first() {', '    inner();', '    inner();', '  }', '  second() {', '    inner();', '  }', '}'];

describe('function_graph on native programs', { skip: noTracing }, () => {
  it('draws calls in calls', async (t) => {
    const { files, ask } = await traced(t, PROGRAM, OPTIONS);
    await files.write('set_graph_function', 'turn');
    await files.write('current_tracer', 'function_graph');
    assert.equal(await ask(), 'done');
    assert.deepEqual(calls(await files.read('trace')), TURN);
    await files.write('max_graph_depth', '2');
    await files.write('trace', '');
    await ask();
    assert.deepEqual(calls(await files.read('trace')), ['turn() {', '  first();', '  second();', '}']);
    await files.write('max_graph_depth', '0');
    await files.write('set_graph_notrace', 'first');
    await files.write('trace', '');
    await ask();
    assert.deepEqual(calls(await files.read('trace')), ['turn() {', '  second() {', '    inner();', '  }', '}']);
  });

  it('shows what calls returned', async (t) => {
    const { files, ask } = await traced(t, RESULTS, OPTIONS);
    await files.write('set_ftrace_filter', 'ask large none small');
    await files.write('options/funcgraph-retval', '1');
    await files.write('current_tracer', 'function_graph');
    assert.equal(await ask(), 'done');
    const shown = ['large(); /* ret=0x123456789abcdef0 */', 'small(); /* ret=-22 */', 'none(); /* ret=0x0 */'];
    assert.deepEqual(calls(await files.read('trace')), ['ask() {', ...shown.map((line) => `  ${line}`), '} /* ask ret=0x2a */']);
    await files.write('options/funcgraph-retval-hex', '1');
    assert.ok(calls(await files.read('trace')).includes('  small(); /* ret=0xffffffea */'));
    await files.write('options/funcgraph-retval-hex', '0');
    await files.write('trace', '');
    await files.write('options/funcgraph-retval', '0');
    assert.equal(await ask(), 'done');
    await files.write('options/funcgraph-retval', '1');
    const plain = ['ask() {', '  large();', '  small();', '  none();', '}'];
    assert.deepEqual(calls(await files.read('trace')), plain, 'what is not recorded cannot be shown');
  });

  it('goes on behind a longjmp', async (t) => {
    const { files, ask, pid } = await traced(t, PROGRAM, OPTIONS);
    await files.write('set_ftrace_filter', 'outer jumps inner');
    await files.write('current_tracer', 'function_graph');
    assert.equal(await ask(), 'done');
    await until(async () => (await files.read('saved_cmdlines')).includes(`${pid} program`), 'the thread is known');
    // Frames that were left before its stack was known are dropped.
    await ask();
    await files.write('trace', '');
    assert.equal(await ask(), 'done');
    const unwound = ['outer() {', '  jumps(); /* unwound */', '} /* outer unwound */', 'inner();'];
    assert.deepEqual(calls(await files.read('trace')), ['inner();', 'inner();', 'inner();', ...unwound]);
  });

  it('changes to the function tracer and back, and filters by thread', async (t) => {
    const { files, ask, pid } = await traced(t, PROGRAM, OPTIONS);
    await files.write('set_ftrace_filter', 'first');
    await files.write('current_tracer', 'function_graph');
    await ask();
    assert.deepEqual(calls(await files.read('trace')), ['first();']);
    await files.write('current_tracer', 'function');
    await ask();
    assert.match(await files.read('trace'), new RegExp(`program-${pid}.*: first <-turn\\n$`));
    await files.write('set_ftrace_pid', '1');
    await files.write('trace', '');
    await ask();
    assert.doesNotMatch(await files.read('trace'), /first/);
    await files.write('set_ftrace_pid', String(pid));
    await ask();
    assert.match(await files.read('trace'), /: first <-turn\n$/);
  });

  it('takes snapshots, stops, and resizes without losing what is there', async (t) => {
    const { files, ask } = await traced(t, PROGRAM, OPTIONS);
    await files.write('set_ftrace_filter', 'second');
    await files.write('current_tracer', 'function_graph');
    await ask();
    await files.write('snapshot', '1');
    assert.deepEqual(calls(await files.read('trace')), []);
    await files.write('tracing_on', '0');
    await ask();
    await files.write('tracing_on', '1');
    await ask();
    await ask();
    await files.write('buffer_size_kb', '64');
    assert.deepEqual(
      [calls(await files.read('snapshot')), calls(await files.read('trace'))],
      [['second();'], ['second();', 'second();']],
    );
    await ask();
    assert.equal(calls(await files.read('trace')).length, 3);
  });

  it('streams by trace_pipe while the program runs', async (t) => {
    const { files, ask } = await traced(t, PROGRAM, OPTIONS);
    await files.write('set_ftrace_filter', 'second');
    await files.write('current_tracer', 'function');
    let seen = '';
    const pipe = await files.open('trace_pipe');
    pipe.on('data', (chunk) => {
      seen += chunk;
    });
    for (let turn = 1; turn <= 3; turn++) {
      await ask();
      await until(() => seen.split('second <-turn').length === turn + 1, `the call of turn ${turn} has come`);
    }
    pipe.destroy();
  });

  it('gives a trace.dat that report and trace-cmd read', async (t) => {
    const { files, ask, sandbox, pid } = await traced(t, PROGRAM, OPTIONS);
    await files.write('set_graph_function', 'turn');
    await files.write('current_tracer', 'function_graph');
    await ask();
    const extracted = await sandbox.fentry('extract', '--pid', String(pid), '-o', 'out.dat');
    assert.equal(extracted.code, 0, extracted.stderr);
    const { stdout, stderr } = await sandbox.fentry('report', 'out.dat');
    assert.deepEqual(calls(stdout).slice(-TURN.length), TURN, stderr);
    if (noTraceCmd) return t.diagnostic(noTraceCmd);
    assert.deepEqual(calls(traceCmd('report', '-i', join(sandbox.folder, 'out.dat')).stdout).slice(-TURN.length), TURN);
  });
});
