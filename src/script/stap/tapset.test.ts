import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript, TEST_TARGET } from '../runtime/testing/script-run.js';
import { compileStap } from './compile-stap.js';
import { processTapset } from './process-tapset.js';

/** What a script prints whose `begin` probe is this. */
const printed = (body: string): string => runScript('stap', `probe begin { ${body} exit() }`).out;

test('speculated output is printed when it is wanted, and only then', () => {
  const body = `a = speculation() b = speculation()
    speculate(a, "kept 1\\n") speculate(b, "thrown away\\n") speculate(a, "kept 2\\n")
    println("first") discard(b) commit(a) commit(b)`;
  assert.equal(printed(body), 'first\nkept 1\nkept 2\n');
});

test('addresses are told apart: hosts, ports, paths', () => {
  const body = ['127.0.0.1:80', '[::1]:443', '/run/a:1/socket', '']
    .map((address) => `printdln(" ", address_family("${address}"), address_part("${address}", 1), address_part("${address}", 2))`)
    .join('\n');
  assert.equal(printed(body), 'AF_INET 127.0.0.1 80\nAF_INET6 ::1 443\nAF_UNIX  \nAF_UNIX  \n');
});

test('a function that has no meaning for a program is refused with a reason', () => {
  const compile = (call: string): unknown =>
    compileStap({ text: `probe begin { ${call} }`, file: '<input>', words: [] }, TEST_TARGET);
  assert.throws(() => compile('system("ls")'), /function system is refused: a script changes nothing/);
  assert.throws(() => compile('println(kernel_long(1))'), /function kernel_long is refused: it reads the memory of the kernel/);
  assert.throws(() => compile('switch_file()'), /fentry stap -o FILE/);
});

test('the tapset of a process quotes what its command line has', () => {
  const text = processTapset({ commandLine: ['node', 'a "b"\\\n'], ancestors: [{ pid: 7, comm: 'x"' }] });
  assert.match(text, /return "node a \\"b\\"\\\\\\n"/);
  assert.match(text, /if \(task == 7\) return "x\\""/);
});
