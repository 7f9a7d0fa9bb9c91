import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { disassembleFunction, listedFile } from '../../disassemble/listed-objects.js';
import { ElfFile } from '../../elf/elf-file.js';
import { rewriteObject } from '../../testing/rewrite-object.js';
import { compileText, disassembled, without } from '../../testing/toolchain.js';
import { linkObject } from '../../text/link-object.js';
import type { NativeFunction } from '../../text/native-text.js';
import { builtFrame } from './built-frame.js';
import { bytesOf, NOP } from './encode.js';
import { NO_JUMP } from './jump-finder.js';
import { readsLinkerRegister } from './linker-registers.js';
import { movedInstruction } from './move.js';
import { codePlaces, NO_PLACE } from './probe-places.js';

const GCC = process.arch === 'arm64' ? 'gcc' : 'aarch64-linux-gnu-gcc';
const OBJDUMP = process.arch === 'arm64' ? 'objdump' : 'aarch64-linux-gnu-objdump';
const skip = without(GCC, OBJDUMP);

const SOURCE = `
#include <stdio.h>
static int __attribute__((noinline)) twice(int x) { return x * 2; }
int __attribute__((noinline)) sum(int x) { return twice(x) + twice(x + 1); }
int main(int argc, char **argv) { printf("%d", sum(argc)); return 0; }
`;
const OURS = ['twice', 'sum', 'main'];

/** `sum nop, 8 bytes, top` and the table. */
function line({ name, site, reason }: NativeFunction): string {
  if (site === undefined) return `${name}: ${reason}`;
  const { form, compiled, returnSlot, table } = site;
  return `${name}: ${form}, ${compiled.length} bytes, ${returnSlot}${table === undefined ? '' : `, ${table}`}`;
}

test('frames that prologues build, by their instructions', () => {
  const frames = {
    'stp x29, x30, [sp, #-32]!; mov x29, sp; str x19, [sp, #16]': [0xa9be7bfd, 0x910003fd, 0xf9000bf3],
    'paciasp; stp d9, d8, [sp, #-48]!; stp x29, x30, [sp, #16]; add x29, sp, #16': [
      0xd503233f, 0x6dbd23e9, 0xa9017bfd, 0x910043fd,
    ],
    'sub sp, sp, #1728; sub sp, sp, #24, lsl #12; stp x29, x30, [sp]; mov x29, sp': [
      0xd11b03ff, 0xd14063ff, 0xa9007bfd, 0x910003fd,
    ],
    'mov x12, #6032; sub sp, sp, x12; stp x29, x30, [sp]; mov x29, sp': [0xd282f20c, 0xcb2c63ff, 0xa9007bfd, 0x910003fd],
    'no record: sub sp, sp, #32; add x29, sp, #16': [0xd10083ff, 0x910043fd],
    'a loop: sub sp, sp, #32; b.ne .-4; stp x29, x30, [sp]; mov x29, sp': [0xd10083ff, 0x54ffffe1, 0xa9007bfd, 0x910003fd],
    'an unknown size: sub sp, sp, x9; stp x29, x30, [sp]; mov x29, sp': [0xcb2963ff, 0xa9007bfd, 0x910003fd],
  };
  assert.deepEqual(
    Object.values(frames).map((words) => builtFrame(words)),
    [{ bytes: 32 }, { bytes: 32, key: 'a' }, { bytes: 100032 }, { bytes: 6032 }, undefined, undefined, undefined],
  );
});

test('what is not called as functions are reads x16 or x17 first', () => {
  const codes: readonly (readonly [text: string, words: readonly number[], reads: boolean])[] = [
    ['stp x8, x9, [sp, #-208]!; stp q6, q7, [sp, #176]; ldur x0, [x16, #-8]', [0xa9b327e8, 0xad059fe6, 0xf85f8200], true],
    ['mov x0, x17', [0xaa1103e0], true],
    ['str x16, [sp, #-16]!', [0xf81f0ff0], true],
    ['add x0, x16, #1', [0x91000600], true],
    ['madd x0, x1, x2, x16', [0x9b024020], true],
    ['ldr x0, [x1, x17]', [0xf8716820], true],
    ['cbz x16, .+8', [0xb4000050], true],
    ['br x17', [0xd61f0220], true],
    ['adrp x16, .; ldr x17, [x16, #8]; add x16, x16, #8; br x17', [0x90000010, 0xf9400611, 0x91002210, 0xd61f0220], false],
    ['mov x16, #1; movk x16, #2, lsl #16; add x0, x16, x1', [0xd2800030, 0xf2a00050, 0x8b010200], false],
    ['ldp x16, x17, [x0]; add x0, x16, x17', [0xa9404410, 0x8b110200], false],
    ['bl .+8; mov x0, x16', [0x94000002, 0xaa1003e0], false],
    ['ccmp x4, #16, #0, hi', [0xfa508880], false],
    ['str d16, [sp, #-16]!; stp d16, d17, [sp]', [0xfc1f0ff0, 0x6d0047f0], false],
    ['rev x0, x1; ubfx x2, x3, #16, #1; ret', [0xdac00c20, 0xd3504062, 0xd65f03c0], false],
  ];
  for (const [text, words, reads] of codes) assert.equal(readsLinkerRegister(words), reads, text);
});

for (const [options, site] of [
  ['-fpatchable-function-entry=2', 'nop, 8 bytes, top, __patchable_function_entries'],
  ['-fpatchable-function-entry=4,2', 'nop, 8 bytes, top, __patchable_function_entries'],
  ['-fpatchable-function-entry=2 -mbranch-protection=standard', 'nop, 8 bytes, top, __patchable_function_entries'],
  ['-pg', 'mcount, 4 bytes, frame'],
  ['-pg -mbranch-protection=standard', 'mcount, 4 bytes, frame'],
  ['-pg -static', 'mcount, 4 bytes, frame'],
  ['-O2', 'compiled without a site'],
] as const) {
  test(`sites of gcc ${options} on arm64`, { skip }, (t) => {
    const { functions } = linkObject(compileText(t, SOURCE, [GCC, ...options.split(' ')]), { module: '', firstFunction: 0 });
    const ours = OURS.map((name) => functions.find((one) => one.name === name)!);
    assert.deepEqual(
      ours.map(line),
      OURS.map((name) => `${name}: ${site}`),
    );
  });
}

/** Text at 0x400000, as gcc writes it. */
const TEXT = `
.globl patchable, profiled, plain, _mcount, main
.type patchable,%function
.type profiled,%function
.type plain,%function
.type _mcount,%function
.type main,%function
patchable: bti c
nop
nop
add w0, w0, w0
ret
.size patchable,.-patchable
profiled: stp x29, x30, [sp, #-16]!
mov x29, sp
mov x0, x30
bl _mcount
ldp x29, x30, [sp], #16
ret
.size profiled,.-profiled
plain: cbz w0, 1f
mov w0, #1
1: ret
.size plain,.-plain
_mcount: ret
.size _mcount,.-_mcount
main: ret
.size main,.-main
`;

test('the three states of sites on arm64', { skip }, async (t) => {
  const source = `asm("${TEXT.trim().replaceAll('\n', '\\n')}");`;
  const options = ['-nostdlib', '-static', '-Wl,-e,main,-Ttext=0x400000,--build-id=none', '-mbranch-protection=none'];
  const object = listedFile(compileText(t, source, [GCC, ...options]).file);
  const shown = await Promise.all(['patchable', 'profiled', 'plain'].map((name) => disassembleFunction([object], name)));
  assert.deepEqual(shown.join('\n').split('\n'), readFileSync('src/native/machines/arm64/states.txt', 'utf8').split('\n'));
});

test('instructions that depend on their place, moved', { skip }, () => {
  const [from, to] = [0x400000, 0x500000];
  const shown = [
    ['a9bf7bfd', 'stp x29, x30, [sp, #-16]!'],
    ['14000010', 'b 0x400040'],
    ['97fffff0', 'bl 0x3fffc0'],
    ['54000080', 'b.eq 0x400010'],
    ['b4ffff80', 'cbz x0, 0x3ffff0'],
    ['37080040', 'tbnz w0, #1, 0x400008'],
    ['10000081', 'adr x1, 0x400010'],
    ['b0000082', 'adrp x2, 0x411000'],
    ['58000083', 'ldr x3, 0x400010'],
    ['1c000081', 'ldr s1, 0x400010'],
    ['98000084', 'ldrsw x4, 0x400010'],
    ['d8000080', 'prfm pldl1keep, 0x400010'],
    ['d63f0100', 'blr x8'],
    ['d63f03c0', 'blr x30'],
    ['10000002', 'adr x2, 0x400000'],
    ['54000000', 'b.eq 0x400000'],
    ['94000000', 'bl 0x400000'],
    ['d61f0100', 'br x8'],
    ['d65f03c0', 'ret'],
  ].map(([word, meaning]) => {
    const value = Number.parseInt(word!, 16);
    const text = (code: Uint8Array, at: number): string => disassembled(code, at, [OBJDUMP, 'aarch64']).join('; ');
    assert.equal(text(bytesOf([value]), from).replace(/ \/\/.*$/, ''), meaning);
    return `${meaning}: ${text(bytesOf(movedInstruction(value, from, to)), to)}`.replaceAll(/ \/\/[^;]*/g, '');
  });
  assert.deepEqual(shown, [
    'stp x29, x30, [sp, #-16]!: stp x29, x30, [sp, #-16]!; b 0x400004',
    'b 0x400040: b 0x400040',
    'bl 0x3fffc0: mov x30, #0x4; movk x30, #0x40, lsl #16; movk x30, #0x0, lsl #32; b 0x3fffc0',
    'b.eq 0x400010: b.eq 0x500008; b 0x400004; b 0x400010',
    'cbz x0, 0x3ffff0: cbz x0, 0x500008; b 0x400004; b 0x3ffff0',
    'tbnz w0, #1, 0x400008: tbnz w0, #1, 0x500008; b 0x400004; b 0x400008',
    'adr x1, 0x400010: mov x1, #0x10; movk x1, #0x40, lsl #16; movk x1, #0x0, lsl #32; b 0x400004',
    'adrp x2, 0x411000: mov x2, #0x1000; movk x2, #0x41, lsl #16; movk x2, #0x0, lsl #32; b 0x400004',
    'ldr x3, 0x400010: mov x3, #0x10; movk x3, #0x40, lsl #16; movk x3, #0x0, lsl #32; ldr x3, [x3]; b 0x400004',
    'ldr s1, 0x400010: str x16, [sp, #-16]!; mov x16, #0x10; movk x16, #0x40, lsl #16; movk x16, #0x0, lsl #32; ldr s1, [x16]; ldr x16, [sp], #16; b 0x400004',
    'ldrsw x4, 0x400010: mov x4, #0x10; movk x4, #0x40, lsl #16; movk x4, #0x0, lsl #32; ldrsw x4, [x4]; b 0x400004',
    'prfm pldl1keep, 0x400010: nop; b 0x400004',
    'blr x8: mov x30, #0x4; movk x30, #0x40, lsl #16; movk x30, #0x0, lsl #32; br x8',
    'blr x30: mov x16, x30; mov x30, #0x4; movk x30, #0x40, lsl #16; movk x30, #0x0, lsl #32; br x16',
    'adr x2, 0x400000: mov x2, #0x0; movk x2, #0x40, lsl #16; movk x2, #0x0, lsl #32; b 0x400004',
    'b.eq 0x400000: b.eq 0x500008; b 0x400004; b 0x400000',
    'bl 0x400000: mov x30, #0x4; movk x30, #0x40, lsl #16; movk x30, #0x0, lsl #32; b 0x400000',
    'br x8: br x8',
    'ret: ret',
  ]);
});

test('instructions that compare and branch, moved', () => {
  const [from, to] = [0x400000, 0x500000];
  // cbgt w1, w2, 0x400010; cblt x3, #5, 0x3ffff0: over a jump back, to a jump to where it went.
  for (const [word, over, target] of [
    [0x74020081, 0x74020041, 0x400010],
    [0xf522ff83, 0xf522c043, 0x3ffff0],
  ] as const) {
    assert.deepEqual(movedInstruction(word, from, to), [
      over,
      ...movedInstruction(0x14000000, from + 4, to + 4),
      ...movedInstruction(0x14000000, target, to + 8),
    ]);
  }
});

/** Functions whose first two instructions would move, and what is in their way. */
const USED = `
.globl main, entered, pointed, enters, own, spc
.type main,%function
.type entered,%function
.type pointed,%function
.type enters,%function
.type own,%function
.type spc,%function
main: ret
.size main,.-main
entered: paciasp
1: mov w0, #1
ret
.size entered,.-entered
enters: b 1b
.size enters,.-enters
pointed: paciasp
2: mov w0, #2
ret
.size pointed,.-pointed
own: ldr w0, own
ret
.size own,.-own
spc: .inst 0xdac1a3fe
ret
.size spc,.-spc
.data
.balign 8
.quad 2b
.text
`;

test('arm64: functions whose first instructions something else uses', { skip }, (t) => {
  const source = `asm("${USED.trim().replaceAll('\n', '\\n')}");`;
  const elf = compileText(t, source, [GCC, '-nostdlib', '-static', '-Wl,-e,main', '-mbranch-protection=none']);
  const { functions } = linkObject(elf, { module: '', firstFunction: 0, jumps: true });
  const reasons = functions.map(({ name, reason }) => `${name}: ${reason}`);
  assert.deepEqual(reasons, [
    'main: undefined',
    `entered: ${NO_JUMP.target}`,
    'enters: undefined',
    `pointed: ${NO_JUMP.target}`,
    `own: ${NO_JUMP.data}`,
    `spc: ${NO_JUMP.exclusive}`,
  ]);
});

test('what is out of reach is refused where all registers count', () => {
  const [from, to] = [0x4000000, 0x4000000 + 2 ** 27 - 32];
  const [jump, call] = [0x17fffff0, 0x97fffff0];
  assert.throws(() => movedInstruction(jump, from, to, 'all registers count'), { errno: 'ERANGE' });
  assert.equal(movedInstruction(jump, from, to).length, 4);
  // What is called may find anything in x16.
  assert.equal(movedInstruction(call, from, to, 'all registers count').length, 7);
});

/** The places of a function: offset, and why no probe can stand there. */
const placesOf = (words: readonly number[], site?: readonly [number, number]): readonly string[] =>
  codePlaces(Buffer.from(bytesOf(words)), site).map(({ offset, reason }) => `${offset} ${reason ?? 'a branch'}`);

test('the places at which a probe can stand', () => {
  const loop = [0xd503245f, NOP, NOP, 0x885ffc01, 0x11000421, 0x8802fc01, 0x35ffffa2, 0xd4207d00, 0xd65f03c0];
  assert.deepEqual(placesOf(loop, [4, 12]), [
    `0 ${NO_PLACE.pad}`,
    `4 ${NO_PLACE.site}`,
    `8 ${NO_PLACE.site}`,
    ...[12, 16, 20].map((offset) => `${offset} ${NO_PLACE.exclusive}`),
    '24 a branch',
    `28 ${NO_PLACE.own}`,
    '32 a branch',
  ]);
  // ldr x0, 8 bytes on; ret; the literal; atomic instructions; udf. A load without its store is alone.
  const data = [0x58000040, 0xd65f03c0, 0x12345678, 0x9abcdef0, 0xb8e10002, 0x08207c82, 0x885ffc01, 0xd65f03c0, 0x00000000];
  assert.deepEqual(placesOf(data), [
    ...['0 a branch', '4 a branch', `8 ${NO_PLACE.data}`, `12 ${NO_PLACE.data}`, '16 a branch', '20 a branch'],
    ...[`24 ${NO_PLACE.exclusive}`, '28 a branch', `32 ${NO_PLACE.data}`],
  ]);
  assert.deepEqual(placesOf([0xd503233f, 0xd503233f]), [`0 ${NO_PLACE.pad}`, '4 a branch']);
});

const PROGRAM = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
static jmp_buf back;
static long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static double area(double r) { return r * r * 3.14159; }
static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 + (unsigned char)*s++; return h; }
static void jump(int n) { if (n == 0) longjmp(back, 7); jump(n - 1); }
int main(int argc, char **argv) {
  int numbers[64];
  char text[32];
  for (int i = 0; i < 64; i++) { snprintf(text, sizeof text, "%d", i * 37); numbers[i] = hash(text) % (i + 7); }
  qsort(numbers, 64, sizeof(int), compare);
  for (int i = 0; i < 64; i++) printf("%d ", numbers[i]);
  int jumped = setjmp(back);
  if (jumped == 0) jump(20);
  printf("%ld %g %d %s\\n", fib(18), area(2.5), jumped, strchr("name=value", '='));
  return 0;
}
`;

const runner = process.arch === 'arm64' ? [] : ['qemu-aarch64'];

/** What the kernel and the loader do for it is in it: its pages are guarded from the start. */
const GUARDED = `
#define NO __attribute__((noipa))
NO int leaf(int x) { return x + 1; }
NO int signs(int x) { return leaf(x) + leaf(x + 1); }
NO int (*volatile chosen)(int) = signs;
NO void leave(int code) {
  register long x0 asm("x0") = code;
  register long x8 asm("x8") = 93;
  asm volatile("svc 0" : : "r"(x0), "r"(x8));
  __builtin_unreachable();
}
NO void _start(void) { leave(chosen(20)); }
`.replace('NO int (*', 'int (*');

test('an arm64 program arrives by indirect calls where it may, if its functions jump', {
  skip: skip || without(...runner),
}, (t) => {
  const options = ['-O2', '-ffreestanding', '-nostdlib', '-static', '-mbranch-protection=standard', '-Wl,-z,force-bti'];
  const elf = compileText(t, GUARDED, [GCC, ...options]);
  const { functions } = linkObject(elf, { module: '', firstFunction: 0, jumps: true });
  const rewritten = `${elf.file}-rewritten`;
  writeFileSync(rewritten, rewriteObject(elf, functions), { mode: 0o755 });
  const code = (file: string): number | null => {
    const [program, ...args] = [...runner, file];
    return spawnSync(program!, args).status;
  };
  assert.deepEqual([code(elf.file), code(rewritten)], [43, 43]);
  const { compiled } = functions.find(({ name }) => name === 'signs')!.site!;
  assert.equal(compiled.length, 8, 'paciasp and what is behind it');
});

for (const options of ['-O2', '-Os', '-O0']) {
  test(`an arm64 program whose functions all jump runs as before, its libc too: ${options}`, {
    skip: skip || without(...runner),
  }, (t) => {
    const source = `#pragma GCC optimize "${options}"\n${PROGRAM.replaceAll('static ', '__attribute__((noipa)) static ').replace('__attribute__((noipa)) static jmp', 'static jmp')}`;
    const elf = compileText(t, source, [GCC, '-static', '-no-pie', '-fno-pie']);
    const { functions } = linkObject(elf, { module: '', firstFunction: 0, jumps: true });
    const reached = functions.filter(({ site }) => site !== undefined);
    for (const name of ['main', 'fib', 'hash', 'jump', 'qsort', 'malloc', 'strlen']) {
      assert(reached.some((one) => one.name === name) || functions.every((one) => one.name !== name), `${name} has a site`);
    }
    assert(reached.length >= 0.95 * functions.length, `${reached.length} of ${functions.length} functions`);
    const rewritten = `${elf.file}-rewritten`;
    writeFileSync(rewritten, rewriteObject(elf, reached), { mode: 0o755 });
    const [program, ...args] = runner;
    const output = (file: string): string =>
      program === undefined
        ? execFileSync(file, { encoding: 'utf8' })
        : execFileSync(program, [...args, file], { encoding: 'utf8' });
    assert.equal(output(rewritten), output(elf.file));
    assert.equal(new ElfFile(readFileSync(rewritten), rewritten).machine, 'arm64');
  });
}
