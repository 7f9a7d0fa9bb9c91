import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noTracing, traced } from './native-machine.js';

/** For each line: how often it was continued since the last one, which is how often it was stopped. */
const COUNTS = `
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile int continued;
static void hear(int signal) { continued++; }
__attribute__((noinline)) int one(int x) { asm volatile(""); return x * 1000 + 1; }
__attribute__((noinline)) int two(int x) { asm volatile(""); return one(x * 1000) + 1; }
int main(void) {
  signal(SIGCONT, hear);
  setbuf(stdout, 0);
  puts("ready");
  char line[16];
  while (fgets(line, sizeof line, stdin)) {
    two(1);
    printf("%d\\n", continued);
    continued = 0;
  }
}`;

/** Each change of plan, and what is written where. A filter that names no function means all of them: that goes in slices. */
const CHANGES = [
  ['a tracer begins', 'current_tracer', 'function'],
  ['its filter has another function', 'set_ftrace_filter', 'one two'],
  ['it ends', 'current_tracer', 'nop'],
  ['it begins again', 'current_tracer', 'function'],
  ['a function has a command, and all are traced', 'set_ftrace_filter', 'one:traceoff:5', 'in slices'],
  ['all functions of the program are traced', 'set_ftrace_filter', 'one two main', 'in slices'],
  ['another tracer begins', 'current_tracer', 'function_graph'],
  ['that ends', 'current_tracer', 'nop'],
] as const;

describe('a native process', { skip: noTracing }, () => {
  for (const options of [['-fpatchable-function-entry=5'], ['-O1']]) {
    it(`is stopped once for each change of what is traced: ${options.join(' ')}`, async (t) => {
      const { files, ask } = await traced(t, COUNTS, options);
      await files.write('set_ftrace_filter', 'one');
      await ask();
      const stops: string[] = [];
      for (const [name, file, words, areMany] of CHANGES) {
        await files.write(file, words);
        const count = Number(await ask());
        stops.push(`${name}: ${areMany && count > 1 ? areMany : count}`);
      }
      assert.deepEqual(
        stops,
        CHANGES.map(([name, , , areMany = 1]) => `${name}: ${areMany}`),
      );
    });
  }

  it('is not stopped for what changes no text', { skip: noTracing }, async (t) => {
    const { files, ask } = await traced(t, COUNTS);
    await ask();
    await files.read('available_filter_functions');
    await files.write('set_ftrace_filter', 'one');
    await files.write('buffer_size_kb', '64');
    assert.equal(await ask(), '0');
  });
});
