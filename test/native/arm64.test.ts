import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootArm64, testFiles } from './arm64-machine.js';
import { type Arm64Parts, arm64PartsOrReason } from './arm64-parts.js';

const parts = arm64PartsOrReason();
const skip = 'reason' in parts ? parts.reason : false;

const PROGRAM = `
#include <stdio.h>
int __attribute__((noipa)) twice(int x) { return x * 2; }
int main(int argc, char **argv) { puts("ready"); getchar(); return twice(argc); }
`;

test('fentry in an emulated Debian for arm64', { skip }, async (t) => {
  const files = {
    ...(await testFiles(['test/native/on-arm64', 'src/v8/cycles/place-counter.test'])),
    'root/program.c': { bytes: Buffer.from(PROGRAM) },
  };
  const machine = await bootArm64(t, parts as Arm64Parts, files);
  await t.test('shows the text of a live process', async () => {
    const compiled = await machine.run('gcc -O1 -fpatchable-function-entry=2 -o /root/program /root/program.c');
    assert.deepEqual(compiled, { code: 0, output: '' });
    await machine.run('{ sleep 1000 | /root/program & }; until pidof program; do sleep 0.1; done');
    const shown = await machine.run('node dist/cli.js disassemble --no-objdump --pid $(pidof program) twice');
    assert.match(
      shown.output.replaceAll(/(0x)?aaaa[0-9a-f]{8}/g, 'ADDRESS'),
      /^twice at ADDRESS, 16 bytes, arm64\nsite: NOPs; 8 bytes at twice\+0x0, .*\n\nnow \(as compiled\):\n {2}ADDRESS {2}d503201f {2}nop\n {2}ADDRESS {2}d503201f {2}nop\n/,
    );
  });
  // The other forms: npm run arm64 on-arm64.
  await t.test('traces a program, which prints what it prints untraced', async () => {
    const { code, output } = await machine.run(
      "node --test-name-pattern='^-fpatchable-function-entry=2$' build/test/native/on-arm64.mjs",
    );
    assert.equal(code, 0, output);
    assert.match(output, /^# pass 1$/m);
  });
  // Other versions of Node: npm run arm64 v8/cycles -- --node=24.
  await t.test("replaces V8's machine code that reads the counter, whichever of its compilers has made that", async () => {
    const { code, output } = await machine.run("node --test-name-pattern='^whatever' build/src/v8/cycles/place-counter.test.mjs");
    assert.equal(code, 0, output);
    assert.match(output, /^# pass 1$/m);
  });
});
