import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ElfFile } from '../elf/elf-file.js';
import { compileText, without } from '../testing/toolchain.js';
import { objectCode } from './object-functions.js';

const skip = without('gcc', 'strip');

/** A function with a part that is never run, one that only a pointer reaches, and one that chooses another. */
const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
static int secret(int x) { return x * 3; }
__attribute__((cold, noinline)) static int fail(const char *text) { return printf("no number: %s", text); }
__attribute__((noinline)) int parse(const char *text, int length) {
  if (length < 1) return fail(text) + fail(text + 1);
  return atoi(text) + 1;
}
static int fast(int x) { return x + 1; }
static int (*choose(void))(int) { return fast; }
int quick(int) __attribute__((ifunc("choose")));
int (*volatile hidden)(int) = secret;
__attribute__((alias("parse"))) int __libc_parse(const char *, int);
int main(int argc, char **argv) { return parse(argv[1], argc) + hidden(argc) + quick(2); }
`;

test('functions of an object by their symbols: aliases are one, a part that was moved away is none', { skip }, (t) => {
  const functions = objectCode(compileText(t, SOURCE, ['gcc'])).functions;
  const named = (name: string) => functions.filter((one) => one.name === name);
  assert.equal(named('parse').length, 1);
  assert.deepEqual([named('__libc_parse'), named('parse.cold')], [[], []]);
  assert.deepEqual([named('choose').length, named('quick').length], [1, 0]);
});

test('the name of a function that is chosen when the program is loaded is that of what chooses, if nothing else is left', {
  skip,
}, (t) => {
  const object = compileText(t, SOURCE, ['gcc', '-rdynamic', '-s']);
  assert.deepEqual(
    objectCode(object)
      .functions.filter(({ isIfunc }) => isIfunc)
      .map(({ name }) => name),
    ['quick'],
  );
});

test('a stripped object has the functions that can be unwound, by their place', { skip }, (t) => {
  const object = compileText(t, SOURCE, ['gcc']);
  const full = objectCode(object).functions;
  const cold = [...new Set(execFileSync('nm', [object.file], { encoding: 'utf8' }).match(/^\w+(?= t parse\.cold$)/m))];
  assert.equal(cold.length, 1, 'gcc moves the part that is rarely run away');
  execFileSync('strip', [object.file]);
  const stripped = objectCode(new ElfFile(readFileSync(object.file), object.file)).functions;
  for (const name of ['parse', 'main', 'secret', 'fast']) {
    const { start, end } = full.find((one) => one.name === name)!;
    const found = stripped.find((one) => one.start === start);
    assert.deepEqual([found?.end, found?.name], [end, `sub_${start.toString(16)}`]);
  }
  assert.equal(
    stripped.find(({ start }) => start === Number.parseInt(cold[0]!, 16)),
    undefined,
  );
});

test('what is no object is refused', () => {
  const header = Buffer.alloc(64);
  assert.throws(() => new ElfFile(Buffer.from('#!/bin/sh\n'), 'run.sh'), { errno: 'ENOEXEC', message: 'run.sh is no ELF file' });
  header.write('\x7fELF\x01\x01');
  assert.throws(() => new ElfFile(header, 'old'), { errno: 'ENOEXEC', message: /does not know/ });
  const broken = Buffer.from(readFileSync(process.execPath).subarray(0, 4096));
  assert.throws(() => new ElfFile(broken, 'half'), { errno: 'ENOEXEC', message: 'half: the headers point out of the file' });
});
