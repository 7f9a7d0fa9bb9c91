import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { attempt } from '../../src/base/attempt.js';
import { compile, start } from '../../src/native/testing/programs.js';
import { Sandbox, until } from '../e2e/support/program.js';
import { memoryOf, noTracing, traced } from './native-machine.js';

const noLuaJit = attempt(() => execFileSync('luajit', ['-v'], { stdio: 'ignore' })) === undefined ? 'there is no luajit' : false;

/** Says that it is ready, and for each line what a function of the object MADE makes of 41. */
const PROGRAM = `
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **words) {
  setbuf(stdout, 0);
  puts("ready");
  while (getchar() != EOF) {
    void *object = dlopen("MADE", RTLD_NOW);
    int (*made)(int) = object ? (int (*)(int))dlsym(object, "made") : 0;
    printf("%d\\n", made ? made(41) : 0);
    while (getchar() != '\\n');
  }
}`;
const MADE = `
__asm__(".section .go.buildinfo,\\"aw\\"\\n.quad 0\\n.text");
__attribute__((noinline)) int made(int x) { __asm__ volatile(""); return x + 1; }
`;

/** What marks executables of languages whose runtimes walk stacks, and the language. */
const RUNTIMES = [
  ['Go', '__asm__(".section .go.buildinfo,\\"aw\\"\\n.quad 0\\n.text");', []],
  ['OCaml', 'long caml_frametable[1];', ['-rdynamic']],
] as const;

describe('a program with the runtime of a language that walks stacks by its own tables', { skip: noTracing }, () => {
  for (const [language, mark, options] of RUNTIMES) {
    it(`is refused before anything is changed: ${language}, stripped too`, async (t) => {
      const sandbox = new Sandbox(t);
      const path = compile(t, `${mark}\n${PROGRAM}`, [...options, '-s']);
      const words = new RegExp(
        `process \\d+ has code of ${language} \\(${path}\\), whose runtime .*tables of its own: it is not traced`,
      );
      const recorded = await sandbox.fentry('record', '--native', '-p', 'function', '--', path);
      assert.deepEqual([recorded.code, recorded.stdout], [1, '']);
      assert.match(recorded.stderr, words);
      const { pid, output, child } = start(t, path);
      await until(() => output() === 'ready\n', 'it is ready');
      const before = await memoryOf(pid);
      const attached = await sandbox.fentry('attach', '--native', String(pid));
      assert.equal(attached.code, 1);
      assert.match(attached.stderr, words);
      assert.deepEqual(await memoryOf(pid), before);
      assert.equal(child.exitCode, null);
    });
  }

  it('that comes with an object later has no sites there', async (t) => {
    const object = compile(t, MADE, ['-shared', '-fPIC']);
    const { files, ask } = await traced(t, PROGRAM.replace('MADE', object));
    assert.equal(await ask('x'), '42');
    await files.write('current_tracer', 'function_graph');
    assert.equal(await ask('x'), '42');
    assert.match(await files.read('functions_without_sites'), /^made \[program\].*is Go’s, whose runtime/m);
    assert.doesNotMatch(await files.read('trace'), /made/);
  });
});

describe('LuaJIT', { skip: noTracing || noLuaJit }, () => {
  it('finds its own frames where an error passes calls that are followed', async (t) => {
    const sandbox = new Sandbox(t);
    const program =
      'local co = coroutine.create(function() error("two") end) print(pcall(error, "one")) print(coroutine.resume(co))';
    const { code, stdout, stderr } = await sandbox.fentry(
      'record',
      '--native',
      '-p',
      'function_graph',
      '--',
      'luajit',
      '-e',
      program,
    );
    assert.deepEqual([code, stdout.replace(/\(command line\):\d+: /, '')], [0, 'false\tone\nfalse\ttwo\n'], stderr);
  });
});
