import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileText, without } from '../testing/toolchain.js';
import { linkObject } from './link-object.js';
import type { NativeFunction } from './native-text.js';

const SOURCE = `
#include <stdio.h>
static int __attribute__((noinline)) twice(int x) { return x * 2; }
int __attribute__((noinline)) sum(int x) { return twice(x) + twice(x + 1); }
int main(int argc, char **argv) { printf("%d", sum(argc)); return 0; }
`;
const BASE = 0x7f1234560000;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').replace(/../g, '$& ').trim();

/** `sum fentry, 6 bytes` and, where it has them, the return address's place and the table. */
function line({ name, site, reason }: NativeFunction): string {
  if (site === undefined) return `${name}: ${reason}`;
  const { form, compiled, returnSlot, table } = site;
  return `${name}: ${form}, ${compiled.length} bytes, ${returnSlot}${table === undefined ? '' : `, ${table}`}`;
}

const OURS = ['twice', 'sum', 'main'];

/** The options of a compiler, and what its sites are like. */
const FORMS: readonly (readonly [command: string, site: string])[] = [
  ['gcc -pg -mfentry -mnop-mcount -fno-pie -no-pie', 'nop, 5 bytes, top'],
  ['gcc -pg -mfentry -mnop-mcount -mrecord-mcount -fno-pie -no-pie', 'nop, 5 bytes, top, __mcount_loc'],
  ['gcc -pg -mnop-mcount -mrecord-mcount -fno-pie -no-pie', 'nop, 5 bytes, frame, __mcount_loc'],
  ['gcc -pg -mfentry -fpie -pie', 'fentry, 6 bytes, top'],
  ['gcc -pg -mfentry -fno-pie -no-pie', 'fentry, 5 bytes, top'],
  ['gcc -pg -mfentry -fpie -static-pie', 'fentry, 6 bytes, top'],
  ['gcc -pg -mfentry -fpie -pie -fcf-protection=full', 'fentry, 6 bytes, top'],
  ['gcc -pg -fpie -pie', 'mcount, 6 bytes, frame'],
  ['gcc -pg -fno-pie -no-pie', 'mcount, 5 bytes, frame'],
  ['gcc -pg -fno-pie -static', 'mcount, 5 bytes, frame'],
  ['gcc -fpatchable-function-entry=5', 'nop, 5 bytes, top, __patchable_function_entries'],
  ['gcc -fpatchable-function-entry=16,11', 'nop, 5 bytes, top, __patchable_function_entries'],
  ['gcc -fpatchable-function-entry=5 -fcf-protection=full', 'nop, 5 bytes, top, __patchable_function_entries'],
  ['gcc -fpatchable-function-entry=2', 'compiled without a site'],
  ['gcc', 'compiled without a site'],
  ['clang -fpatchable-function-entry=5', 'nop, 5 bytes, top, __patchable_function_entries'],
  ['clang -fpatchable-function-entry=16,11', 'nop, 5 bytes, top, __patchable_function_entries'],
  ['clang -pg', 'mcount, 5 bytes, frame'],
  ['clang -pg -mfentry', 'fentry, 5 bytes, top'],
];

const notHere = process.arch !== 'x64' && 'its compilers do not make code for x86-64';

for (const [command, site] of FORMS) {
  const [compiler, ...options] = command.split(' ');
  test(`sites of ${command}`, { skip: notHere || without(compiler!) }, (t) => {
    const text = linkObject(compileText(t, SOURCE, [compiler!, ...options]), { base: BASE, module: '', firstFunction: 0 });
    const functions = OURS.map((name) => text.functions.find((one) => one.name === name)!);
    assert.deepEqual(
      functions.map(line),
      OURS.map((name) => `${name}: ${site}`),
    );
    for (const { site, start, end } of functions) {
      if (site === undefined) continue;
      assert(site.address >= text.base + start && site.resume <= text.base + end, 'the site lies in its function');
      assert.equal(site.nop.length, site.compiled.length);
    }
  });
}

test('sites of clang -fxray-instrument', { skip: notHere || without('clang', 'gcc') }, (t) => {
  const compiler = ['clang', '-fxray-instrument', '-fxray-instruction-threshold=1'];
  const text = linkObject(compileText(t, SOURCE, compiler, ['gcc']), { module: '', firstFunction: 0 });
  const functions = OURS.map((name) => text.functions.find((one) => one.name === name)!);
  assert.deepEqual(
    functions.map(line),
    OURS.map((name) => `${name}: xray, 11 bytes, top, xray_instr_map`),
  );
});

test('the three states of a site', { skip: notHere || without('gcc') }, (t) => {
  const sites = ['-fpatchable-function-entry=5', '-mfentry -pg -fpie -pie'].map((options) => {
    const object = compileText(t, SOURCE, ['gcc', ...options.split(' ')]);
    const { functions } = linkObject(object, { base: BASE, module: '', firstFunction: 0 });
    return functions.find(({ name }) => name === 'sum')!.site!;
  });
  const [nops, call] = sites as [(typeof sites)[0], (typeof sites)[0]];
  assert.equal(hex(nops.compiled), '90 90 90 90 90');
  assert.equal(hex(nops.nop), '0f 1f 44 00 00');
  assert.equal(hex(nops.armed(nops.address + 0x105, 'call')), 'e8 00 01 00 00');
  assert.equal(hex(nops.armed(nops.address - 0x1b, 'jump')), 'e9 e0 ff ff ff');
  assert.match(hex(call.compiled), /^ff 15 /);
  assert.equal(hex(call.nop), '66 0f 1f 44 00 00');
  assert.equal(hex(call.armed(call.address + 5, 'call')), 'e8 00 00 00 00 90');
  assert.equal(hex(call.body(call.resume - 5)), 'e9 00 00 00 00');
  assert.throws(() => nops.armed(nops.address + 2 ** 31 + 5, 'call'), { errno: 'ERANGE' });
});
