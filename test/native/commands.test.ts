import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../e2e/support/program.js';
import { noTracing, traced } from './native-machine.js';

/** For each line: calls `turn`, which calls `first`, `second` and `third`; keeps frame pointers. */
const PROGRAM = `
#include <stdio.h>
#define FUNCTION __attribute__((noinline)) void
FUNCTION first(void) { asm volatile(""); }
FUNCTION second(void) { asm volatile(""); }
FUNCTION third(void) { asm volatile(""); }
FUNCTION turn(void) { first(); second(); third(); asm volatile(""); }
int main(void) {
  setbuf(stdout, 0);
  puts("ready");
  while (getchar() != EOF) {
    turn();
    puts("done");
  }
}`;
const OPTIONS = ['-fpatchable-function-entry=5', '-fno-omit-frame-pointer'];

const functionsIn = (trace: string): readonly string[] => trace.match(/(?<=: )\w+(?= <-)/g) ?? [];

describe('commands of set_ftrace_filter on native programs', { skip: noTracing }, () => {
  it('switch tracing, write stacks and take snapshots, as often as they may', async (t) => {
    const { files, ask } = await traced(t, PROGRAM, OPTIONS);
    const traceOfTurn = async (): Promise<readonly string[]> => {
      await files.write('trace', '');
      await files.write('tracing_on', '1');
      await ask();
      return functionsIn(await files.read('trace'));
    };
    await files.write('set_ftrace_filter', 'turn first second third');
    await files.write('current_tracer', 'function');
    await files.append('set_ftrace_filter', 'second:traceoff:2\n');
    assert.match(await files.read('set_ftrace_filter'), /^second:traceoff:count=2$/m);
    assert.deepEqual(await traceOfTurn(), ['turn', 'first', 'second']);
    assert.equal(await files.read('tracing_on'), '0\n');
    assert.match(await files.read('set_ftrace_filter'), /^second:traceoff:count=1$/m);
    assert.deepEqual(await traceOfTurn(), ['turn', 'first', 'second']);
    assert.deepEqual(await traceOfTurn(), ['turn', 'first', 'second', 'third']);
    await files.append('set_ftrace_filter', 'third:traceon\n');
    await files.write('trace', '');
    await files.write('tracing_on', '0');
    await ask();
    await until(async () => (await files.read('tracing_on')) === '1\n', 'tracing is on');
    for (const command of ['!second:traceoff:0', '!third:traceon', 'first:stacktrace:1', 'second:snapshot:1']) {
      await files.append('set_ftrace_filter', `${command}\n`);
    }
    await files.write('trace', '');
    await ask();
    const snapshot = await files.read('snapshot');
    assert.deepEqual(functionsIn(snapshot), ['turn', 'first', 'second']);
    assert.match(snapshot, /<stack trace>\n => first\n => turn\n => main\n/);
    assert.deepEqual(functionsIn(await files.read('trace')), ['third']);
    await files.write('trace', '');
    await ask();
    assert.doesNotMatch(await files.read('trace'), /<stack trace>/);
  });

  it('belong to instances, and go with function_graph', async (t) => {
    const { files, ask, program } = await traced(t, PROGRAM, OPTIONS);
    await files.mkdir('instances/one');
    const one = files.inside('instances/one/');
    await one.write('set_ftrace_filter', 'turn second third');
    await one.write('current_tracer', 'function');
    await one.append('set_ftrace_filter', 'second:traceoff\n');
    await files.write('set_graph_function', 'turn');
    await files.write('set_ftrace_filter', 'turn first second third');
    await files.write('current_tracer', 'function_graph');
    await ask();
    assert.deepEqual(functionsIn(await one.read('trace')), ['turn', 'second']);
    assert.deepEqual((await files.read('trace')).match(/\w+\(\)/g), ['turn()', 'first()', 'second()', 'third()']);
    await one.write('tracing_on', '1');
    await files.write('kprobe_events', 'p:mine first\n');
    await one.write('events/kprobes/mine/enable', '1');
    await assert.rejects(
      files.append('set_ftrace_filter', 'first:enable_event:kprobes:mine\n'),
      /no command enable_event for these functions/,
    );
    await ask();
    assert.match(await one.read('trace'), /: mine: \(first\+0x0\/0x[\da-f]+\)/);
    assert.doesNotMatch(await files.read('trace'), /mine:/);
    assert.match(await files.read('kprobe_profile'), /^ +mine +1 +0$/m);
    await one.write('events/kprobes/mine/enable', '0');
    await files.rmdir('instances/one');
    for (let i = 0; i < 3; i++) await ask();
    assert.equal((await files.read('trace')).match(/turn\(\)/g)?.length, 5);
    await files.write('current_tracer', 'nop');
    await ask();
    assert.equal(program.child.exitCode, null);
  });

  it('refuse function_graph in instances, and what is no command', async (t) => {
    const { files } = await traced(t, PROGRAM, OPTIONS);
    await files.mkdir('instances/one');
    await assert.rejects(files.inside('instances/one/').write('current_tracer', 'function_graph'), { errno: 'EINVAL' });
    await assert.rejects(files.write('set_ftrace_filter', 'first:no_such_command\n'), { errno: 'EINVAL' });
  });
});
