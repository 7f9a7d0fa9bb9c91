import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noCompiler, traced } from './native-machine.js';

const PROGRAM = `
#include <stdio.h>
struct order { int id; };
__attribute__((noinline)) long price(struct order *order, int discount, unsigned char tag, double rate) {
  asm volatile("");
  return order->id - discount + tag + (long)rate;
}
__attribute__((noinline)) long many(long a, long b, long c, long d, long e, long f, long g) {
  asm volatile("");
  return a + b + c + d + e + f + g;
}
__attribute__((noinline)) void step(void) { asm volatile(""); }
__attribute__((noinline)) void steps(int n) { for (int i = 0; i < n; i++) step(); asm volatile(""); }
int main(void) {
  char line[64];
  static struct order order = { 7 };
  setbuf(stdout, 0);
  puts("ready");
  while (fgets(line, sizeof line, stdin)) {
    price(&order, -3, 200, 1.5);
    many(1, 2, 3, 4, 5, 6, 7);
    steps(5);
    puts("done");
  }
}`;

/** What was called, with pointers as \`0x\`. */
const calls = (trace: string): string[] =>
  Array.from(
    trace.matchAll(/(?:: |\| {2} *)((?:price|many|step|steps)\b[^;{\n]*?)(?: <-main.*| <-steps)?(?=[;{\n]| <-)(.*)/g),
    ([, call, rest]) =>
      `${call}${/repeats/.exec(rest!) ? rest!.replace(/.*(\(repeats: \d+).*/, ' $1)') : ''}`
        .replace(/0x[\da-f]{6,}/g, '0x')
        .trim(),
  );

describe('arguments of native functions', { skip: noCompiler }, () => {
  for (const site of ['-fpatchable-function-entry=5', '-O1'])
    it(`are those of debug information, with their names and types: ${site}`, async (t) => {
      const { files, ask } = await traced(t, PROGRAM, ['-g', site]);
      await files.write('set_ftrace_filter', 'price many');
      await files.write('current_tracer', 'function');
      await files.write('options/func-args', '1');
      await ask();
      const shown = ['price(order=0x, discount=-3, tag=200, rate=?)', 'many(a=1, b=2, c=3, d=4, e=5, f=6, g=?)'];
      assert.deepEqual(calls(await files.read('trace')), shown);
      await files.write('current_tracer', 'function_graph');
      await files.write('options/funcgraph-args', '1');
      await ask();
      assert.deepEqual(calls(await files.read('trace')), shown);
      await files.write('options/funcgraph-args', '0');
      await files.write('trace', '');
      await ask();
      assert.deepEqual(calls(await files.read('trace')), ['price()', 'many()']);
    });

  it('are the registers that have integers and pointers where there is none', async (t) => {
    const { files, ask } = await traced(t, PROGRAM, ['-O1']);
    await files.write('set_ftrace_filter', 'many');
    await files.write('current_tracer', 'function_graph');
    await files.write('options/funcgraph-args', '1');
    await ask();
    assert.deepEqual(calls(await files.read('trace')), ['many(0x1, 0x2, 0x3, 0x4, 0x5, 0x6)']);
  });
});

describe('repeated calls of native functions', { skip: noCompiler }, () => {
  it('are counted with func-no-repeats, in instances too', async (t) => {
    const { files, ask } = await traced(t, PROGRAM, ['-O1', '-fpatchable-function-entry=5']);
    await files.mkdir('instances/one');
    for (const one of [files, files.inside('instances/one/')]) {
      await one.write('set_ftrace_filter', 'step steps');
      await one.write('current_tracer', 'function');
      await one.write('options/func-no-repeats', '1');
    }
    await ask();
    await ask();
    for (const one of [files, files.inside('instances/one/')]) {
      const lines = Array.from(
        (await one.read('trace')).matchAll(/: (steps? <-\w+)(?:.*?(repeats: \d+))?/g),
        ([, call, repeats]) => (repeats === undefined ? call : `${call} (${repeats})`),
      );
      assert.deepEqual(lines, ['steps <-main', 'step <-steps', 'step <-steps (repeats: 4)', 'steps <-main', 'step <-steps']);
    }
    await files.inside('instances/one/').write('current_tracer', 'nop');
  });
});
