import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testFolder } from '../../src/native/testing/programs.js';
import { testFiles } from './arm64-machine.js';
import { type RestrictedParts, restrictedPartsOrReason, runRestricted, withLibraries } from './restricted-machine.js';

const parts = restrictedPartsOrReason();
const skip = 'reason' in parts ? parts.reason : false;

/** For each line, calls `step` a hundred times. */
const PROGRAM = `
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) int step(int x) { asm volatile(""); return x + 1; }
int main(void) {
  setbuf(stdout, 0);
  printf("ready %d\\n", (int)getpid());
  for (int c; (c = getchar()) != EOF;) {
    int sum = 0;
    for (int i = 0; i < 100; i++) sum = step(sum);
    printf("%d\\n", sum);
  }
}`;

/** What test/native/on-restricted.ts says on a machine, by the case. */
async function told(t: TestContext, mode: string, parameters = '', patience?: number): Promise<Readonly<Record<string, string>>> {
  const folder = testFolder(t);
  const program = join(folder, 'program');
  writeFileSync(`${program}.c`, PROGRAM);
  execFileSync('gcc', ['-O1', '-fpatchable-function-entry=5', '-o', program, `${program}.c`]);
  const more = { ...(await testFiles(['test/native/on-restricted'])), ...withLibraries(program, 'program/program') };
  const command = `node build/test/native/on-restricted.mjs ${mode}`;
  const { code, output } = runRestricted(parts as RestrictedParts, folder, {
    parameters,
    command,
    more,
    ...(patience && { patience }),
  });
  assert.equal(code, 0, output);
  return Object.fromEntries([...output.matchAll(/^= (.*?): (.*?)\r?$/gm)].map(([, what, text]) => [what!, text!]));
}

const SCOPES = { 1: 'only its parents and root', 2: 'only root', 3: 'nobody' } as const;
/** Two values of the parameter forbid it; they differ for debuggers only. The other one, and what may be done: npm run soak. */
const isLong = process.env['SOAK_DETACHES'] !== undefined;

for (const value of isLong ? ['never', 'ptrace'] : ['never']) {
  const name = `a program stays as it is where proc_mem.force_override=${value} or Yama lets nobody change it`;
  test(name, { skip }, async (t) => {
    const said = await told(t, 'scopes', `proc_mem.force_override=${value}`);
    for (const who of ['user', 'root']) {
      assert.match(
        said[`scope 0, ${who}`]!,
        /^EIO process PID: .* proc_mem\.force_override=ptrace or never \(start it with always\)$/,
      );
    }
    for (const [scope, who] of Object.entries(SCOPES)) {
      const words = new RegExp(`^EACCES process PID: kernel.yama.ptrace_scope is ${scope}: ${who} may change it`);
      assert.match(said[`scope ${scope}, user`]!, words);
    }
    for (const scope of [0, 1, 2, 3]) assert.equal(said[`scope ${scope}, program`], 'as before, 100');
  });
}

/** The functions of Node are found at the first start: milliseconds. */
const LONG = 1_800_000;
/** What is said of a process of its own text: the errno or `may`, its text, its answer, what it has traced, `off`, error_log. */
const OWN = {
  'scope 1, user': /^may, changed, true, turn uv_available_parallelism, off, nothing$/,
  'scope 2, user': /^(EACCES|EPERM), as before, true, turn, off, .*kernel\.yama\.ptrace_scope is 2: only root may change it/,
  'scope 3, user': /^(EACCES|EPERM), as before, true, turn, off, .*kernel\.yama\.ptrace_scope is 3: nobody may change it/,
  'scope 3, root': /^(EACCES|EPERM), as before, true, turn, off, .*kernel\.yama\.ptrace_scope is 3: nobody may change it/,
};

test('Yama lets a Node program change its own text by the process that it starts, then nobody: JavaScript is traced without it', {
  skip: isLong ? skip : 'it takes minutes: npm run soak',
}, async (t) => {
  const said = await told(t, 'own', '', LONG);
  for (const [what, words] of Object.entries(OWN)) assert.match(said[what] ?? '', words, what);
});

test('a Node program of which no text can be written has its JavaScript traced alone', {
  skip: isLong ? skip : 'it takes a minute: npm run soak',
}, async (t) => {
  const said = await told(t, 'text', 'proc_mem.force_override=never', LONG);
  assert.match(said['no text, user'] ?? '', /^may, as before, true, turn, off, /);
});

test('Yama lets users record what they start, then nobody', {
  skip: isLong ? skip : 'it takes a minute: npm run soak',
}, async (t) => {
  const said = await told(t, 'children');
  assert.equal(said['scope 1, own child'], '100, 100 events');
  assert.match(said['scope 2, own child']!, /kernel\.yama\.ptrace_scope is 2: only root may change it/);
});
