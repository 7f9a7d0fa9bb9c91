import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { compile, noCompiler, start } from '../../src/native/testing/programs.js';
import { Sandbox, until } from './support/program.js';

const PROGRAM = `
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) int twice(int x) { return x * 2; }
int main(int argc, char **argv) { printf("%d\\n", twice(argc)); fflush(stdout); pause(); return 0; }
`;

test('disassemble shows a function of a process that nothing traces, and one of its libc', { skip: noCompiler }, async (t) => {
  const sandbox = new Sandbox(t);
  const program = start(t, compile(t, PROGRAM, ['-fpatchable-function-entry=5', '-fcf-protection=none']));
  await until(() => program.output() === '2\n', 'the program runs');
  const pid = String(program.pid);
  const { stdout, code } = await sandbox.fentry('disassemble', '--pid', pid, 'twice');
  assert.equal(code, 0);
  const lines = stdout.split('\n').map((line) => line.replace(/^ {2}\w+ {2}/, '').replace(/(?<!^.*) {2,}.*$/, ''));
  assert.match(lines[0]!, /^twice at 0x[0-9a-f]+, \d+ bytes, x86-64$/);
  assert.equal(lines[1], 'site: NOPs; 5 bytes at twice+0x0, listed in __patchable_function_entries');
  assert.equal(lines[3], 'now (as compiled):');
  assert.deepEqual(
    lines.slice(4, 9),
    Array.from({ length: 5 }, () => lines[4]),
  );
  assert.match(stdout, /\nNOP:\n {2}\w+ {2}0f 1f 44 00 00 .*\n\narmed:\n {2}\w+ {2}e8 .* <ftrace_caller>\n$/);
  const libc = await sandbox.fentry('disassemble', '--pid', pid, 'getpid', '[libc.so.6]');
  assert.match(libc.stdout, /^getpid \[libc\.so\.6\] at 0x7f/);
  const nothing = await sandbox.fentry('disassemble', '--pid', pid, 'twicee');
  assert.deepEqual([nothing.code, nothing.stderr], [1, 'fentry disassemble: there is no function twicee (ENOENT)\n']);
});

const HOT = `
function hot(n) { return n < 2 ? n : hot(n - 1) + hot(n - 2); }
setInterval(() => hot(18), 1);
`;

test('disassemble shows the code that V8 made of a function, idle and armed', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(HOT, { NODE_OPTIONS: '--perf-basic-prof' });
  t.after(() => rmSync(`/tmp/perf-${program.pid}.map`, { force: true }));
  const listing = async (): Promise<string> => (await sandbox.fentry('disassemble', '--pid', String(program.pid), 'hot')).stdout;
  let shown = '';
  await until(async () => / by TurboFan\n/.test((shown = await listing())), 'V8 has optimized the function');
  assert.match(shown, /^hot at 0x[\da-f]+, \d+ bytes, \S+, by .*\n\S*program\.cjs:2:13\nsite: idle: .* depends on the cell/m);
  await sandbox.fentry('write', '--pid', String(program.pid), 'set_ftrace_filter', 'hot');
  await sandbox.fentry('write', '--pid', String(program.pid), 'current_tracer', 'function');
  assert.match(await listing(), /^site: armed: the cell holds the trampoline/m);
});

const SHORT = `
__asm__(".globl tiny\\n.type tiny,@function\\ntiny: ret\\n.size tiny,1\\nother: ret");
int main(int count, char **words) { return count > 1 ? words[1][0] : 7; }
`;

test('recordmcount --without lists the functions that cannot be traced, and counts all', { skip: noCompiler }, async (t) => {
  const sandbox = new Sandbox(t);
  const program = compile(t, SHORT, ['-no-pie', '-fno-pie']);
  const { stdout } = await sandbox.fentry('recordmcount', '--without', program);
  const lines = stdout.trimEnd().split('\n');
  assert.match(
    lines.find((line) => / tiny\/0x/.test(line))!,
    /^[\da-f]{16} tiny\/0x1\tcompiled without a site, and too short for a jump$/,
  );
  assert.doesNotMatch(stdout, / main\//);
  const [all, compiled, jumps, without] = [...lines.at(-1)!.matchAll(/(\d+) [(f]/g)].map(([, count]) => Number(count)) as [
    number,
    number,
    number,
    number,
  ];
  assert.match(
    lines.at(-1)!,
    /^# \d+ functions: 0 \(0\.00 %\) with a site of the compiler, \d+ \(\d+\.\d\d %\) in which a jump fits, /,
  );
  assert.deepEqual([compiled, all, without], [0, jumps + without, lines.length - 1]);
});

test('recordmcount lists the sites of an executable', { skip: noCompiler }, async (t) => {
  const sandbox = new Sandbox(t);
  const program = compile(t, PROGRAM, ['-pg', '-mfentry', '-mnop-mcount', '-fno-pie', '-no-pie', '-fcf-protection=none']);
  const { stdout } = await sandbox.fentry('recordmcount', program);
  assert.match(stdout, /^[\da-f]{16} twice\+0x0\/0x\w+\t0f 1f 44 00 00\tnop$/m);
  assert.match(stdout, /^[\da-f]{16} main\+0x0\/0x\w+\t0f 1f 44 00 00\tnop$/m);
  const script = sandbox.file('run.sh', '#!/bin/sh\n');
  const { code, stderr } = await sandbox.fentry('recordmcount', script);
  assert.deepEqual([code, stderr], [1, `fentry recordmcount: ${script} is no ELF file (ENOEXEC)\n`]);
});
