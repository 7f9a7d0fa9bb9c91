import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noTracing, traced } from './native-machine.js';

/**
 * For each line: `shallow` calls `leaf`, `deep` calls itself so often that the line says and then `leaf`, each with 256 bytes of
 * variables.
 */
const PROGRAM = `
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#define FUNCTION __attribute__((noinline))
FUNCTION void leaf(void) { asm volatile(""); }
FUNCTION void shallow(void) { leaf(); asm volatile(""); }
FUNCTION void deep(int n) {
  volatile char room[256];
  room[0] = 1;
  if (n > 0) deep(n - 1);
  else leaf();
  asm volatile("" :: "m"(room[0]));
}
static void *worker(void *n) { deep((int)(long)n); return 0; }
int main(void) {
  char line[64];
  setbuf(stdout, 0);
  puts("ready");
  while (fgets(line, sizeof line, stdin)) {
    pthread_t thread;
    shallow();
    if (line[0] == 't') {
      pthread_create(&thread, 0, worker, (void *)atol(line + 1));
      pthread_join(thread, 0);
    } else deep(atoi(line));
    puts("done");
  }
}`;

interface Row {
  readonly depth: number;
  readonly size: number;
  readonly name: string;
}

/** The lines of stack_trace. */
const rowsOf = (text: string): Row[] =>
  [...text.matchAll(/^ *\d+\) +(\d+) +(-?\d+) {3}(\w+)\+0x[\da-f]+\/0x[\da-f]+/gm)].map(([, depth, size, name]) => ({
    depth: Number(depth),
    size: Number(size),
    name: name!,
  }));

describe('the stack tracer on native programs', { skip: noTracing }, () => {
  for (const [form, options] of Object.entries({
    'with frame pointers': ['-fpatchable-function-entry=5', '-fno-omit-frame-pointer'],
    'without frame pointers': ['-O2', '-fno-optimize-sibling-calls', '-fpatchable-function-entry=5'],
    'without sites': ['-O2', '-fno-optimize-sibling-calls'],
  })) {
    it(`keeps the deepest stack with the size of each frame: ${form}`, async (t) => {
      const { files, ask } = await traced(t, PROGRAM, options);
      await files.write('stack_trace_filter', 'main shallow deep leaf');
      await files.write('stack_tracer_enabled', '1');
      await ask('3');
      const rows = rowsOf(await files.read('stack_trace'));
      assert.deepEqual(
        rows.slice(0, 6).map(({ name }) => name),
        ['leaf', 'deep', 'deep', 'deep', 'deep', 'main'],
      );
      assert.equal(rows[0]!.depth, Number(await files.read('stack_max_size')));
      for (const { size } of rows.slice(1, 5)) assert.ok(size >= 256 && size < 400, `${size} bytes of a frame`);
      for (const [i, { depth, size }] of rows.entries()) assert.equal(depth - size, rows[i + 1]?.depth ?? 0);
      await ask('1');
      assert.deepEqual(rowsOf(await files.read('stack_trace')), rows, 'what is less deep changes nothing');
      await files.write('stack_max_size', '0');
      // The environment is on the main thread's stack.
      await ask('t400');
      const names = rowsOf(await files.read('stack_trace')).map(({ name }) => name);
      assert.deepEqual(names.slice(0, 403), ['leaf', ...Array<string>(401).fill('deep'), 'worker']);
      await files.write('stack_tracer_enabled', '0');
      assert.equal(await files.read('enabled_functions'), '');
    });
  }

  it('keeps the innermost 500 of a deep recursion, also while function_graph replaces return addresses', async (t) => {
    const { files, ask } = await traced(t, PROGRAM, ['-fpatchable-function-entry=5', '-O2', '-fno-optimize-sibling-calls']);
    await files.write('set_ftrace_filter', 'deep leaf');
    await files.write('current_tracer', 'function_graph');
    await files.write('stack_trace_filter', 'deep leaf');
    await files.write('stack_tracer_enabled', '1');
    assert.equal(await ask('6000'), 'done');
    const text = await files.read('stack_trace');
    const rows = rowsOf(text);
    assert.equal(rows.length, 500);
    assert.match(text.slice(0, 100), /\(500 entries\)/);
    assert.deepEqual(new Set(rows.slice(1).map(({ name }) => name)), new Set(['deep']));
    assert.ok(rows[0]!.depth > 6000 * 256);
  });
});
