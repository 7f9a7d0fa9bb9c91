import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noTracing } from '../../src/native/testing/programs.js';
import { traced } from './native-machine.js';

/** Calls `area` again and again, with widths of 0 to 4 and a name that changes with them. */
const PROGRAM = `#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) int area(int w, int h, const char *name) { __asm__ volatile("" : : "r"(name)); return w * h; }
int main(void) {
  setbuf(stdout, 0);
  puts("ready");
  for (int i = 0;; i++) { area(i % 5, 3, i % 5 < 2 ? "small" : "large"); usleep(1000); }
}`;

test('scripts in both languages count calls of machine code by arguments and results', { skip: noTracing }, async (t) => {
  const { pid, sandbox } = await traced(t, PROGRAM, ['-g']);
  const counted = await sandbox.fentry(
    'bpftrace',
    '-p',
    String(pid),
    '-e',
    'kprobe:area { @[arg0] = count(); @seen++; } kretprobe:area { @r[retval] = count(); } interval:ms:50 { if (@seen > 50) { exit(); } }',
  );
  assert.equal(counted.stderr, '');
  for (const width of [0, 1, 2, 3, 4]) {
    assert.match(counted.stdout, new RegExp(`^@\\[${width}\\]: \\d+$`, 'm'));
    assert.match(counted.stdout, new RegExp(`^@r\\[${width * 3}\\]: \\d+$`, 'm'));
  }
  const named = await sandbox.fentry(
    'stap',
    '-x',
    String(pid),
    '-e',
    `global n, seen
     probe kernel.function("area") { n[user_string($name)] <<< $w; seen++ }
     probe timer.ms(50) { if (seen > 50) exit() }
     probe end { foreach (name in n) printf("%s %d..%d\\n", name, @min(n[name]), @max(n[name])) }`,
  );
  assert.equal(named.stderr, '');
  assert.deepEqual(named.stdout.trim().split('\n').toSorted(), ['large 2..4', 'small 0..1']);
});
