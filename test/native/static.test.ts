import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CANCELS, EXCEPTIONS } from '../../src/native/code/testing/programs-in-c.js';
import { lacks, noTracing, traced } from './native-machine.js';
import { onceMore, repeated } from './repeated-program.js';

/** Programs that have no library that unwinds stacks, and no text but their own. */
const PROGRAMS = [
  ['exceptions', 'g++', ['-xc++', '-static'], EXCEPTIONS],
  ['pthread_cancel', 'gcc', ['-static', '-fexceptions'], CANCELS],
] as const;

describe('static programs', { skip: noTracing }, () => {
  for (const [name, compiler, options, source] of PROGRAMS) {
    it(`go on as before with all functions in function_graph: ${name}`, { skip: lacks(compiler) }, async (t) => {
      const { files, program } = await traced(t, repeated(source), options, compiler);
      const plain = await onceMore(program);
      await files.write('current_tracer', 'function_graph');
      assert.equal(await onceMore(program), plain);
      assert.equal(await onceMore(program), plain);
      assert.notEqual(await files.read('enabled_functions'), '');
    });
  }
});
