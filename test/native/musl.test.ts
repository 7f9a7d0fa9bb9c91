import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../e2e/support/program.js';
import { lacks, recorded, textRefusal, traced } from './native-machine.js';
import { sixteenThreads } from './sixteen-threads.js';

const CALLS = 16 * 3 * 100;
const SUM = String(16 * 2 * (50 * 99) + 16 * 3 * 100);

describe('programs with the C library musl', { skip: lacks('musl-gcc') || textRefusal() }, () => {
  for (const [form, options] of Object.entries({ dynamic: ['-O2'], static: ['-O2', '-static'] })) {
    it(`are traced, and have probes: ${form}`, async (t) => {
      const { files, ask } = await traced(t, sixteenThreads(100), options, 'musl-gcc');
      assert.equal(await ask(), SUM);
      await files.write('set_ftrace_filter', 'leaf middle');
      await files.write('current_tracer', 'function_graph');
      assert.equal(await ask(), SUM);
      await until(async () => (await recorded(files)) >= 2 * CALLS, 'all calls are counted');
      assert.equal(await recorded(files), 2 * CALLS);
      await files.write('current_tracer', 'nop');
      await files.write('kprobe_events', 'r:sums middle sum=$retval:s32');
      await files.write('events/kprobes/sums/enable', '1');
      await ask();
      assert.match(await files.read('trace'), / sums: \(worker\+0x[\da-f]+\/0x[\da-f]+ <- middle\) sum=201$/m);
      // All functions, those of the library too.
      await files.write('set_ftrace_filter', '');
      for (const tracer of ['function', 'function_graph']) {
        await files.write('current_tracer', tracer);
        assert.equal(await ask(), SUM);
      }
    });
  }

  it('refuse breakpoints, and say why', async (t) => {
    const source = `
      #include <stdio.h>
      __attribute__((noinline)) long spot(long n) { __asm__ volatile("nop; nop; mov %0, %0" : "+r"(n)); return n; }
      int main(void) { setbuf(stdout, 0); puts("ready"); while (getchar() != EOF) printf("%ld\\n", spot(3)); }`;
    const { files, ask } = await traced(t, source, [], 'musl-gcc');
    await files.write('kprobe_events', 'p:late spot+5');
    await files.write('events/kprobes/late/enable', '1');
    assert.match(await files.read('error_log'), /needs a breakpoint, and no call of rt_sigaction was found/);
    assert.equal(await ask(), '3');
  });
});
