import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CANCELS, EXCEPTIONS } from '../../src/arch/native/code/testing/programs-in-c.js';
import { lacks, noCompiler, traced } from './native-machine.js';

/** A program that does for each line what another one does once. */
const repeated = (source: string): string => `
#define main once
${source}
#undef main
int main() {
  char line[16];
  setbuf(stdout, 0);
  puts("ready");
  while (fgets(line, sizeof line, stdin)) once();
}`;

/** They have no library that unwinds stacks, and no text but their own. */
const PROGRAMS = [
  ['exceptions', 'g++', ['-xc++', '-static'], EXCEPTIONS],
  ['pthread_cancel', 'gcc', ['-static', '-fexceptions'], CANCELS],
] as const;

describe('static programs', { skip: noCompiler }, () => {
  for (const [name, compiler, options, source] of PROGRAMS) {
    it(`go on as before with all functions in function_graph: ${name}`, { skip: lacks(compiler) }, async (t) => {
      const { files, ask } = await traced(t, repeated(source), options, compiler);
      const plain = await ask();
      await files.write('current_tracer', 'function_graph');
      assert.equal(await ask(), plain);
      assert.equal(await ask(), plain);
      assert.notEqual(await files.read('enabled_functions'), '');
    });
  }
});
