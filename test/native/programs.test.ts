import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CANCELS,
  COROUTINES,
  EXCEPTIONS,
  HANDLERS,
  JUMPS,
  PROCESSES,
  STACKS_IN_STACK,
  VALUES,
} from '../../src/native/code/testing/programs-in-c.js';
import { ARM64_FORMS } from './arm64-forms.js';
import { attach, lacks, noTracing, ready, recorded } from './native-machine.js';
import { onceMore, repeated } from './repeated-program.js';

/** What is done for a line: a small part of what the program does by itself, where that would take long. */
const PROGRAMS: readonly (readonly [
  name: string,
  source: string,
  compiler: 'gcc' | 'g++',
  flags: readonly string[],
  call?: string,
])[] = [
  ['exceptions', EXCEPTIONS, 'g++', ['-xc++']],
  ['exceptions out of signal handlers', HANDLERS, 'g++', ['-xc++', '-fnon-call-exceptions']],
  ['longjmp, siglongjmp and signals', JUMPS, 'gcc', [], 'once(2, (char *[]){"once", "60", 0})'],
  ['coroutines', COROUTINES, 'gcc', []],
  ['stacks in the stack', STACKS_IN_STACK, 'gcc', []],
  ['fork, vfork, pthread_exit', PROCESSES, 'gcc', ['-fexceptions']],
  ['pthread_cancel', CANCELS, 'gcc', ['-fexceptions']],
  ['values of every kind, tail calls', VALUES, 'gcc', ['-Wno-psabi']],
];

const NO_SITES = 'no sites';
const FORMS: Readonly<Record<string, readonly string[]>> =
  process.arch === 'arm64' ? ARM64_FORMS : { sites: ['-fpatchable-function-entry=5'], [NO_SITES]: [] };

/**
 * The functions of a program that are not inlined. Where there is no c++filt, those of C++ have the names that the compiler has
 * made of them.
 */
const functionsOf = (source: string, compiler: 'gcc' | 'g++'): string =>
  [...source.matchAll(/^(?:__attribute__\(\(noinline\)\)|NI) [\w *:]*?(\w+)\([^;]*?{/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== '__attribute__')
    .map((name) => (compiler === 'g++' ? `*${name}*` : name))
    .join(' ');

describe('native programs do what they do untraced', { skip: noTracing, concurrency: 2 }, () => {
  for (const [form, options] of Object.entries(FORMS)) {
    for (const [name, source, compiler, flags, call] of PROGRAMS) {
      it(`${name}: ${form}`, { skip: lacks(compiler) }, async (t) => {
        const program = await ready(t, repeated(source, call), ['-O2', ...options, ...flags], compiler);
        const plain = await onceMore(program);
        const { files } = await attach(t, program);
        // Of its libraries too, which have no sites.
        for (const traced of [functionsOf(source, compiler), ...(form === NO_SITES ? [''] : [])]) {
          await files.write('set_ftrace_filter', traced);
          for (const tracer of ['function', 'function_graph', 'nop']) {
            await files.write('current_tracer', tracer);
            assert.deepEqual([traced, tracer, await onceMore(program)], [traced, tracer, plain]);
            if (tracer !== 'nop') assert.ok((await recorded(files)) > 20);
          }
        }
      });
    }
  }
});
