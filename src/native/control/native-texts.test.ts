import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../../test/e2e/support/program.js';
import { processMaps } from '../process/process-maps.js';
import { compile, noCompiler, start } from '../testing/programs.js';
import { NativeTexts } from './native-texts.js';

const PROGRAM = `
#include <stdio.h>
__attribute__((noinline)) int one(void) { __asm__(""); return 1; }
int main(void) { setvbuf(stdout, 0, _IONBF, 0); puts("ready"); while (getchar() != EOF) one(); }`;

/** What is linked at attach of the program, and when its functions are needed: the modules. */
async function linked(
  t: TestContext,
  ...options: readonly string[]
): Promise<{ early: readonly string[]; all: readonly string[] }> {
  const program = start(t, compile(t, PROGRAM, options));
  await until(() => program.output() === 'ready\n', 'it runs');
  const texts = new NativeTexts(program.pid);
  texts.look(processMaps(program.pid));
  const modules = (areNeeded: boolean): readonly string[] => texts.take(areNeeded).map(({ text }) => text.module);
  const early = modules(false);
  return { early, all: [...early, ...modules(true)] };
}

describe('the objects of a process', { skip: noCompiler }, () => {
  it('are not linked before their functions are needed', async (t) => {
    const { early, all } = await linked(t);
    assert.deepEqual(early, []);
    assert(all.includes('') && all.includes('libc.so.6'), all.join());
    assert.equal(new Set(all).size, all.length);
  });

  for (const options of [['-pg'], ['-pg', '-mfentry'], ['-pg', '-static'], ['-fpatchable-function-entry=5']]) {
    it(`are linked at once if their compiler has left calls or many NOPs: ${options.join(' ')}`, async (t) => {
      if (options.includes('-mfentry') && process.arch !== 'x64') return t.skip('-mfentry is for x86-64');
      assert.deepEqual((await linked(t, ...options)).early, ['']);
    });
  }
});
