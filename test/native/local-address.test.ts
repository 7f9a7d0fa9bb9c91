import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attach, noTracing, ready, recorded } from './native-machine.js';

/** A callback that registers itself again: says whether its address is the same, and how often it was called. */
const PROGRAM = `
#include <stdio.h>
#define NO __attribute__((noipa))
typedef void (*callback)(int);
callback kept;
int calls;
NO void keep(callback one) { kept = one; }
NO void handler(int n) { keep(handler); (void)n; }
NO void count(void) { calls++; }
int main(void) {
  char line[64];
  setvbuf(stdout, 0, _IOLBF, 0);
  puts("ready");
  kept = handler;
  while (fgets(line, sizeof line, stdin)) {
    for (int i = 0; i < 10; i++) { kept(1); count(); }
    printf("same %d %d\\n", kept == handler, calls);
    calls = 0;
  }
}`;

describe('a function without a site that takes its own address', { skip: noTracing }, () => {
  it('has it armed, after a detach, and when others are armed', async (t) => {
    const program = await ready(t, PROGRAM, ['-O2', '-fpie', '-pie']);
    for (const [function_, tracer] of [
      ['handler', 'function'],
      ['count', 'function_graph'],
    ] as const) {
      const { files, ask, sandbox, pid } = await attach(t, program);
      await files.write('set_ftrace_filter', function_);
      await files.write('current_tracer', tracer);
      assert.equal(await ask(), 'same 1 10');
      assert.equal(await recorded(files), tracer === 'function' ? 10 : 20);
      const detached = await sandbox.fentry('detach', String(pid));
      assert.equal(detached.stderr, '');
      assert.equal(await ask(), 'same 1 10');
    }
  });
});
