import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { symbolsOf } from '../../elf/debug-files.js';
import { ElfFile } from '../../elf/elf-file.js';
import { rewriteObject } from '../../testing/rewrite-object.js';
import { compileText, disassembled, without } from '../../testing/toolchain.js';
import { linkObject } from '../../text/link-object.js';
import type { NativeFunction } from '../../text/native-text.js';
import { isPartName } from '../../text/symbol-name.js';
import { NO_JUMP } from './jump.js';

const skip = process.arch !== 'x64' ? 'its compilers make no code for x86-64' : without('gcc', 'objdump');
const FIXED = ['gcc', '-fno-pie', '-no-pie', '-nostartfiles', '-Wl,-e,main,-Ttext=0x401000,--build-id=none'];
const BODY = 0x500000;

/** The functions of text in assembly, by name; `space` is what lies between them. */
function assembled(t: TestContext, functions: Readonly<Record<string, string>>): Map<string, NativeFunction> {
  const text = Object.entries(functions).map(
    ([name, code]) =>
      `.balign 16\\n.globl ${name}\\n.type ${name},@function\\n${name}: ${code.replaceAll('"', '\\"').replaceAll('\n', '\\n')}\\n.size ${name},.-${name}`,
  );
  const elf = compileText(t, `asm("${text.join('\\n')}\\n.balign 16");int main(void) { return 0; }`, FIXED);
  return new Map(linkObject(elf, { module: '', firstFunction: 0, jumps: true }).functions.map((one) => [one.name, one]));
}

test('the first instructions of functions, moved', { skip }, (t) => {
  const functions = assembled(t, {
    pushes: 'push %rbp\nmov %rsp,%rbp\nsub $16,%rsp\nleave\nret',
    endbr: 'endbr64\ncmp $1,%edi\nje 1f\nmov $2,%eax\n1: ret',
    relative: 'lea pushes(%rip),%rax\nret',
    constant: 'cmpl $7,kept(%rip)\nret\n.data\nkept: .quad 0\n.text',
    itself: 'lea itself(%rip),%rdi\njmp pushes',
    guarded: 'endbr64\nlea guarded(%rip),%rdi\nret',
    base: 'push %rbx\n1: lea 1b(%rip),%rdx\nret',
    aborts: 'xbegin pushes\nret',
    recurs: 'mov $3,%dl\ncall recurs\nret',
    near: 'test %edi,%edi\njne 1f\nxor %eax,%eax\nret\n1: mov $1,%eax\nret',
    jumps: 'jmp pushes',
    loops: 'mov %rdi,%rcx\njrcxz 1f\ninc %rax\n1: ret',
    calls: 'call pushes\nret',
    slot: 'call *kept(%rip)\nret',
    returns: 'ret',
    six: 'push %r12\npush %r13\npush %r14\nret',
  });
  const shown = [...functions].flatMap(([name, { site, reason }]) => {
    if (name === 'main') return [];
    if (site === undefined) return [`${name}: ${reason}`];
    return [`${name}: ${site.compiled.length} bytes, ${disassembled(site.body(BODY), BODY).join('; ')}`];
  });
  assert.deepEqual(shown, [
    'pushes: 8 bytes, push %rbp; mov %rsp,%rbp; sub $0x10,%rsp; jmp 0x401018',
    'endbr: 5 bytes, cmp $0x1,%edi; je 0x40102e; jmp 0x401029',
    'relative: 7 bytes, lea -0xfeff7(%rip),%rax # 0x401010; jmp 0x401037',
    'constant: 7 bytes, cmpl $0x7,-0xfd007(%rip) # 0x403000; jmp 0x401047',
    'itself: 7 bytes, lea -0xfefb7(%rip),%rdi # 0x401050; jmp 0x401057',
    'guarded: 7 bytes, lea -0xfefa7(%rip),%rdi # 0x401060; jmp 0x40106b',
    'base: 8 bytes, push %rbx; lea -0xfef97(%rip),%rdx # 0x401071; jmp 0x401078',
    'aborts: 6 bytes, xbegin 0x401010; jmp 0x401086',
    'recurs: 7 bytes, mov $0x3,%dl; push $0x401097; movl $0x0,0x4(%rsp); jmp 0x401090',
    'near: 6 bytes, test %edi,%edi; jne 0x4010a7; xor %eax,%eax; jmp 0x4010a6',
    'jumps: 5 bytes, jmp 0x401010',
    'loops: 5 bytes, mov %rdi,%rcx; jrcxz 0x500007; jmp 0x50000c; jmp 0x4010c8; jmp 0x4010c5',
    'calls: 5 bytes, push $0x4010d5; movl $0x0,0x4(%rsp); jmp 0x401010',
    'slot: 6 bytes, push $0x4010e6; movl $0x0,0x4(%rsp); jmp *-0xfd013(%rip) # 0x403000',
    'returns: 12 bytes, ret',
    'six: 6 bytes, push %r12; push %r13; push %r14; jmp 0x401106',
  ]);
});

test('functions in which no jump fits', { skip }, (t) => {
  const functions = assembled(t, {
    middle: 'xor %eax,%eax\n1: inc %eax\ncmp %edi,%eax\njb 1b\nret',
    again: '1: dec %edi\njnz 1b\nret',
    own: 'pop %rdi\npush %rdi\nxor %eax,%eax\nret',
    busy: 'call *%rdi\nmov %eax,%edi\nadd %edi,%eax\nret',
    stacked: 'call *8(%rsp)\nret',
    bad: '.byte 0x06, 0x06\nret\nnop\nnop\nnop',
    wedged: 'ret\n.byte 1,2,3,4,5,6,7,8',
    tiny: 'nop\n.size tiny,1\n.type next,@function\nnext: xor %eax,%eax\nret\nnop',
  });
  const reasons = [...functions].filter(([name]) => name !== 'main').map(([name, { reason }]) => `${name}: ${reason}`);
  const why = (name: keyof typeof NO_JUMP): string => NO_JUMP[name];
  assert.deepEqual(reasons, [
    `middle: ${why('target')}`,
    `again: ${why('loop')}`,
    `own: ${why('stack')}`,
    `busy: ${why('call')}`,
    `stacked: ${why('stack')}`,
    `bad: ${why('unknown')}`,
    `wedged: ${why('short')}`,
    `tiny: ${why('short')}`,
    'next: undefined',
  ]);
});

test('functions whose first instructions something else uses', { skip }, (t) => {
  const dispatch = 'lea 2f(%rip),%rdx\nmovslq (%rdx,%rdi,4),%rcx\nadd %rdx,%rcx\njmp *%rcx';
  const functions = assembled(t, {
    pushes: 'push %rbp\nmov %rsp,%rbp\nsub $16,%rsp\nleave\nret',
    pointed: 'xor %eax,%eax\n1: inc %eax\ninc %eax\nret\n.section .rodata\n.balign 8\n.quad 1b\n.text',
    table: `xor %eax,%eax\n1: inc %eax\n${dispatch}\n.section .rodata\n.balign 4\n2: .long 1b-2b\n.text`,
    distances: `inc %ecx\n1: push %rbx\n3: lea 3b(%rip),%rbx\n${dispatch}\n.section .rodata\n.balign 4\n2: .long 1b-3b\n.text`,
    made: 'push %rbx\ninner: push %rbp\nmov %rdi,%rbx\nret',
    makes: 'lea inner(%rip),%rax\nret',
    moved: 'mov $deep,%eax\nret',
    deepens: 'push %rbx\ndeep: push %rbp\nmov %rdi,%rbx\nret',
    entered: 'push %rbx\nentry: push %rbp\nmov %rdi,%rbx\nret',
    enters: 'xor %eax,%eax\ncall entry\nret',
    prefixed: 'xor %eax,%eax\ninc %edi\n.byte 0xf0\n1: incl (%rsi)\ncmp %edi,(%rsi)\njb 1b\nret',
    caught:
      '.cfi_startproc\n.cfi_lsda 0x1b,4f\ntest %edi,%edi\n3: xor %eax,%eax\nret\n5: call pushes\n6: ret\n.cfi_endproc\n' +
      '.section .gcc_except_table,"a"\n4: .byte 0xff,0xff,1,4,5,6,2,0\n.text',
    unread: 'xor %eax,%eax\n1: inc %eax\nret\n.byte 6\njmp 1b',
    reads: 'mov reads(%rip),%eax\nret',
    base: 'push %rbx\n1: lea 1b(%rip),%rdx\nret',
  });
  const why = (name: keyof typeof NO_JUMP): string => NO_JUMP[name];
  const reasons = [...functions].flatMap(([name, { reason }]) => (reason === undefined ? [] : [`${name}: ${reason}`]));
  assert.deepEqual(reasons, [
    ...['pointed', 'table', 'distances', 'made', 'deepens'].map((name) => `${name}: ${why('pointer')}`),
    ...['entered', 'prefixed'].map((name) => `${name}: ${why('target')}`),
    `caught: ${why('pointer')}`,
    `unread: ${why('target')}`,
    `reads: ${why('data')}`,
  ]);
});

/** A program that does what first instructions can do: its output tells whether they still do it. */
const PROGRAM = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct point { double x, y; };
static struct point half(struct point p) { return (struct point){ p.x / 2, p.y / 2 }; }
static long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int many(int a, int b, int c, int d, int e, int f, int g, int h) { return a + b * c - d * e + f * g - h; }
static long double longer(long double x) { return x * 1.5L; }
static const char *kind(int n) {
  switch (n % 5) { case 0: return "zero"; case 1: return "one"; case 2: return "two"; case 3: return "three"; default: return "more"; }
}
static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 + (unsigned char)*s++; return h; }
static int (*volatile chosen)(int, int, int, int, int, int, int, int) = many;
static int depth;
static void down(int n) { if (n == 0) return; depth++; down(n - 1); depth += n; }
int main(int argc, char **argv) {
  int numbers[64];
  struct point p = { 3, 5 };
  for (int i = 0; i < 64; i++) numbers[i] = hash(kind(i)) % (i + 7);
  qsort(numbers, 64, sizeof(int), compare);
  for (int i = 0; i < 64; i++) printf("%d ", numbers[i]);
  p = half(half(p));
  down(40);
  printf("%g %g %ld %d %Lg %d\\n", p.x, p.y, fib(20), chosen(1, 2, 3, 4, 5, 6, 7, 8), longer(argc + 1), depth);
  return 0;
}
`;

for (const options of ['-O0', '-O1', '-O2', '-Os', '-O2 -fcf-protection=full', '-O2 -march=native']) {
  test(`a program whose functions all jump to their moved instructions runs as before: ${options}`, { skip }, (t) => {
    const source = `#pragma GCC optimize "${/-O\w/.exec(options)![0]}"\n${PROGRAM}`.replaceAll(
      'static ',
      '__attribute__((noipa)) static ',
    );
    const elf = compileText(t, source, ['gcc', '-fno-pie', '-no-pie', ...options.split(' ').slice(1)]);
    const functions = linkObject(elf, { module: '', firstFunction: 0, jumps: true }).functions.filter(
      ({ site }) => site !== undefined,
    );
    for (const name of ['main', 'fib', 'many', 'kind', 'hash', 'down', 'half', 'longer', 'compare']) {
      assert(
        functions.some((one) => one.name === name),
        `${name} has a site`,
      );
    }
    const rewritten = `${elf.file}-rewritten`;
    writeFileSync(rewritten, rewriteObject(elf, functions), { mode: 0o755 });
    assert.equal(execFileSync(rewritten, { encoding: 'utf8' }), execFileSync(elf.file, { encoding: 'utf8' }));
  });
}

/** Sections whose code is no function: NO_FUNCTIONS of object-functions.ts. */
const STUBS = /^\.(plt|init$|fini$)/;

/**
 * Each function symbol is that of a function with a site or a reason, one of the two, or of a part of a function, or of a stub:
 * nothing is left out.
 */
function assertComplete(elf: ElfFile, functions: readonly NativeFunction[]): void {
  const both = functions.filter(({ site, reason }) => (site === undefined) === (reason === undefined));
  assert.deepEqual(
    both.map(({ name }) => name),
    [],
    'functions have a site, or a reason',
  );
  const known = new Set(functions.map(({ start }) => elf.span[0] + start));
  const isStub = (address: number): boolean =>
    elf.sections.some(({ name, address: from, size }) => STUBS.test(name) && address >= from && address < from + size);
  const left = symbolsOf(elf).filter(({ name, address }) => !known.has(address) && !isPartName(name) && !isStub(address));
  assert.deepEqual(
    left.map(({ name }) => name),
    [],
    'all functions of the object are there',
  );
  const [reached, without] = [
    functions.filter(({ site }) => site !== undefined),
    functions.filter(({ reason }) => reason !== undefined),
  ];
  assert.equal(reached.length + without.length, functions.length);
  assert(reached.length >= 0.95 * functions.length, `${reached.length} of ${functions.length} functions`);
}

const NODE_PROGRAM = `
const { createHash } = require('node:crypto'), { deflateSync, inflateSync } = require('node:zlib');
const text = JSON.stringify(Array.from({ length: 3000 }, (_, i) => ({ i, s: String(i * 7), d: i / 3 })));
console.log(createHash('sha256').update(inflateSync(deflateSync(text))).digest('hex'));
console.log(JSON.parse(text).filter(({ s }) => /7+1/.test(s)).length, [3n ** 200n, Math.sin(1), 'é'.normalize('NFD').length].join());
try { null.x; } catch (error) { console.log(error.message); }
new Worker('console.log(new Intl.NumberFormat("de").format(12345.678))', { eval: true });
`.replace('new Worker', "new (require('node:worker_threads').Worker)");

test('node runs as before with nearly all of its functions moved', { skip }, (t) => {
  const elf = new ElfFile(readFileSync(process.execPath), process.execPath);
  if (elf.type !== 'executable') return t.skip('this node does not lie at a fixed address');
  const { functions } = linkObject(elf, { module: '', firstFunction: 0, jumps: true });
  const reached = functions.filter(({ site }) => site !== undefined);
  assertComplete(elf, functions);
  const folder = mkdtempSync(join(tmpdir(), 'fentry-node-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const rewritten = join(folder, 'node');
  writeFileSync(rewritten, rewriteObject(elf, reached), { mode: 0o755 });
  const output = (node: string): string => execFileSync(node, ['-e', NODE_PROGRAM], { encoding: 'utf8' });
  assert.equal(output(rewritten), output(process.execPath));
});

const libc = readFileSync('/proc/self/maps', 'latin1').match(/\S+\/libc\.so\.6$/m)?.[0];

test('a jump fits into 95 of 100 functions of libc, and the others have a reason', {
  skip: skip || (!libc && 'no glibc'),
}, () => {
  const elf = new ElfFile(readFileSync(libc!), libc!);
  const { functions } = linkObject(elf, { module: 'libc.so.6', firstFunction: 0, jumps: true });
  assertComplete(elf, functions);
});
