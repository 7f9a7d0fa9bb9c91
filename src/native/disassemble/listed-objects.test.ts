import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TraceError } from '../../base/errno.js';
import { ElfFile } from '../elf/elf-file.js';
import { symbolAddresses } from '../elf/symbols.js';
import { testFolder } from '../testing/programs.js';
import { compileText, without } from '../testing/toolchain.js';
import { disassembleFunction, type ListedObject, listedFile, siteLines, sourceHeads } from './listed-objects.js';

const skip = process.arch !== 'x64' ? 'its compilers make no code for x86-64' : without('gcc', 'objdump');

/** Text at 0x401000, as compilers write it. */
const TEXT = `
.globl twice, half, tiny, __fentry__, main
.type twice,@function
.type half,@function
.type tiny,@function
.type __fentry__,@function
.type main,@function
twice: endbr64
nop
nop
nop
nop
nop
lea (%rdi,%rdi),%eax
ret
.size twice,.-twice
half: call __fentry__
mov %edi,%eax
sar %eax
ret
.size half,.-half
tiny: inc %eax
.size tiny,.-tiny
__fentry__: ret
.size __fentry__,.-__fentry__
main: push %rbx
mov %edi,%ebx
call twice
mov %ebx,%edi
call half
pop %rbx
ret
.size main,.-main
`;
const OPTIONS = ['gcc', '-fno-pie', '-no-pie', '-nostdlib', '-Wl,-e,main,-Ttext=0x401000,--build-id=none'];

const objectOf = (t: TestContext): ListedObject =>
  listedFile(compileText(t, `asm("${TEXT.trim().replaceAll('\n', '\\n')}");`, OPTIONS).file);

test('a function as compiled, as NOP, and armed', { skip }, async (t) => {
  assert.equal(
    await disassembleFunction([objectOf(t)], 'twice'),
    `twice at 0x401000, 13 bytes, x86-64
site: NOPs; 5 bytes at twice+0x4

as compiled:
  401000  f3 0f 1e fa               endbr64
  401004  90                        nop
  401005  90                        nop
  401006  90                        nop
  401007  90                        nop
  401008  90                        nop
  401009  8d 04 3f                  lea (%rdi,%rdi,1),%eax
  40100c  c3                        ret

NOP:
  401004  0f 1f 44 00 00            nopl 0x0(%rax,%rax,1)

armed:
  401004  e8 f7 0f 00 00            call 0x402000 <ftrace_caller>
`,
  );
});

test('a function without a site: a jump, and its first instructions moved', { skip }, async (t) => {
  assert.equal(
    await disassembleFunction([objectOf(t)], 'main'),
    `main at 0x40101a, 17 bytes, x86-64
site: its first instructions, which a jump takes the place of; 8 bytes at main+0x0

as compiled:
  40101a  53                        push %rbx
  40101b  89 fb                     mov %edi,%ebx
  40101d  e8 de ff ff ff            call 0x401000 <twice>
  401022  89 df                     mov %ebx,%edi
  401024  e8 e4 ff ff ff            call 0x40100d <half>
  401029  5b                        pop %rbx
  40102a  c3                        ret

armed:
  40101a  e9 e1 0f 00 00            jmp 0x402000 <ftrace_caller>
  40101f  0f 1f 00                  nopl (%rax)

its first instructions, moved:
  402100  53                        push %rbx
  402101  89 fb                     mov %edi,%ebx
  402103  68 22 10 40 00            push $0x401022 <main+0x8>
  402108  c7 44 24 04 00 00 00 00   movl $0x0,0x4(%rsp)
  402110  e9 eb ee ff ff            jmp 0x401000 <twice>
`,
  );
});

test('what a process has there now', { skip }, async (t) => {
  const object = objectOf(t);
  const half = object.text.functions.find(({ name }) => name === 'half')!;
  const state = async (bytes: Uint8Array): Promise<string> => {
    const read = (address: number, length: number): Uint8Array => {
      const text = Uint8Array.from(object.elf.at(address, length)!);
      text.set(bytes, half.site!.address - address);
      return text;
    };
    return /^now.*\n.*$/m.exec(await disassembleFunction([{ ...object, read }], 'half'))![0];
  };
  const { compiled, nop } = half.site!;
  assert.deepEqual(await Promise.all([compiled, nop, half.site!.armed(0x410000, 'call'), Uint8Array.of(0xcc)].map(state)), [
    'now (as compiled):\n  40100d  e8 07 00 00 00            call 0x401019 <__fentry__>',
    'now (NOP):\n  40100d  0f 1f 44 00 00            nopl 0x0(%rax,%rax,1)',
    'now (armed, calls 0x410000):\n  40100d  e8 ee ef 00 00            call 0x410000',
    'now (changed by something else):\n  40100d  cc                        int3',
  ]);
});

test('without objdump, sites and where the function goes have mnemonics', { skip }, async (t) => {
  const shown = await disassembleFunction([objectOf(t)], 'half', undefined, { useObjdump: false });
  assert.equal(
    shown,
    `half at 0x40100d, 10 bytes, x86-64
site: a call of __fentry__; 5 bytes at half+0x0

as compiled:
  40100d  e8 07 00 00 00            call 0x401019 <__fentry__>
  401012  89 f8
  401014  d1 f8
  401016  c3                        ret

NOP:
  40100d  0f 1f 44 00 00            nop

armed:
  40100d  e8 ee 0f 00 00            call 0x402000 <ftrace_caller>
`,
  );
});

test('a function that no jump fits into', { skip }, async (t) => {
  assert.match(
    await disassembleFunction([objectOf(t)], 'tiny'),
    /^tiny at 0x\w+, 2 bytes, x86-64\nno site: compiled without a site, and too short for a jump\n\nas compiled:\n {2}\w+ {2}ff c0 /,
  );
  await assert.rejects(disassembleFunction([objectOf(t)], 'twice', 'libc.so.6'), {
    errno: 'ENOENT',
    message: 'there is no function twice [libc.so.6]',
  });
});

test('the list of an object’s sites, as recordmcount makes it', { skip }, (t) => {
  assert.deepEqual(
    [...siteLines(objectOf(t))],
    ['0000000000401004 twice+0x4/0xd\t90 90 90 90 90\tnop', '000000000040100d half+0x0/0xa\te8 07 00 00 00\tfentry'],
  );
});

const RELOCATABLE = `extern int other(int);
int half(int x) { return x / 2; }
int twice(int x) { return half(x) + other(x); }`;
const PLAIN = ['-O1', '-fno-pie', '-fcf-protection=none', '-fno-inline', '-c'];

test('a relocatable object has the sites and the calls that a link would give it', { skip }, async (t) => {
  const listed = (...options: string[]): ListedObject =>
    listedFile(compileText(t, RELOCATABLE, ['gcc', ...PLAIN, ...options]).file);
  const forms = (object: ListedObject): string[] =>
    [...siteLines(object)].map((line) => line.replace(/^\S+ /, '').replace(/\/0x.*\t/, ' '));
  assert.deepEqual(forms(listed('-pg', '-mfentry')), ['half+0x0 fentry', 'twice+0x0 fentry']);
  assert.deepEqual(forms(listed('-fpatchable-function-entry=5')), [
    'half+0x0 nop (__patchable_function_entries)',
    'twice+0x0 nop (__patchable_function_entries)',
  ]);
  assert.match(
    await disassembleFunction([listed('-pg', '-mfentry')], 'twice'),
    / call 0x\w+ <__fentry__@plt>\n[\s\S]* call 0x40 <half>\n[\s\S]* 0x\w+ <other@plt>\n/,
  );
});

const skipArm64 = without('aarch64-linux-gnu-gcc');

test('the same of arm64, where branches have mnemonics without objdump', { skip: skipArm64 }, async (t) => {
  const object = listedFile(compileText(t, RELOCATABLE, ['aarch64-linux-gnu-gcc', '-O1', '-fno-inline', '-pg', '-c']).file);
  assert.equal([...siteLines(object)].filter((line) => line.endsWith('\tmcount')).length, 2);
  assert.match(
    await disassembleFunction([object], 'twice', undefined, { useObjdump: false }),
    / bl 0x\w+ <_mcount@plt>\n[\s\S]* bl 0x40 <half>\n[\s\S]* bl 0x\w+ <other@plt>\n[\s\S]* ret\n/,
  );
});

const SOURCE = `#include <stdio.h>
int sum(int a, int b) {
  int c = a + b;
  puts("sum");
  return c;
}
int main(int count, char **words) { return sum(count, 1) == 2; }
`;

const HEADS = [2, 3, 4, 5].map((line) => `shop.c:${line}  ${SOURCE.split('\n')[line - 1]}`);

function compiled(t: TestContext, compiler: string, options: readonly string[]): string {
  const folder = testFolder(t);
  writeFileSync(join(folder, 'shop.c'), SOURCE);
  execFileSync(compiler, ['-O0', ...options, '-o', 'shop', 'shop.c'], { cwd: folder });
  return join(folder, 'shop');
}

for (const [compiler, options] of [
  ['gcc', ['-gdwarf-4']],
  ['gcc', ['-gdwarf-5']],
  ['gcc', ['-gdwarf-5', '-gz=zlib']],
  ['clang', ['-gdwarf-4']],
  ['clang', ['-gdwarf-5']],
] as const) {
  test(`the source of a function: ${compiler} ${options.join(' ')}`, { skip: without(compiler) }, async (t) => {
    const file = compiled(t, compiler, options);
    const listing = await disassembleFunction([listedFile(file)], 'sum', undefined, { withSource: true });
    const heads = [...new Set(listing.match(/^shop\.c:\d+.*$/gm))];
    assert.deepEqual(heads.slice(0, 4), HEADS);
  });
}

for (const option of ['--strip-debug', '--strip-all']) {
  test(`the source of a function, from a separate file: ${option}`, { skip: without('gcc', 'objcopy') }, async (t) => {
    const file = compiled(t, 'gcc', ['-g', '-rdynamic']);
    const debug = `${file}.debug`;
    execFileSync('objcopy', ['--only-keep-debug', '--compress-debug-sections', file, debug]);
    execFileSync('objcopy', [option, `--add-gnu-debuglink=${debug}`, file]);
    const listing = await disassembleFunction([listedFile(file)], 'sum', undefined, { withSource: true });
    assert.deepEqual([...new Set(listing.match(/^shop\.c:\d+.*$/gm))].slice(0, 4), HEADS);
  });
}

test('an object without lines, and tables with wrong bytes, are refused with a reason', { skip: without('gcc') }, async (t) => {
  const plain = compiled(t, 'gcc', ['-g0']);
  await assert.rejects(disassembleFunction([listedFile(plain)], 'sum', undefined, { withSource: true }), {
    errno: 'ENOENT',
    message: /shop has no lines \(\.debug_line\): it was compiled without -g, and no file with them is installed$/,
  });
  const file = compiled(t, 'gcc', ['-gdwarf-5']);
  const bytes = readFileSync(file);
  const elf = new ElfFile(bytes, file);
  const { offset, size } = elf.section('.debug_line')!;
  const sum = symbolAddresses(elf).get('sum')!;
  let refused = 0;
  for (let at = 0; at < size; at++) {
    for (const value of [0, 0x7f, 0xff]) {
      const before = bytes[offset + at]!;
      bytes[offset + at] = value;
      try {
        sourceHeads(elf, sum, sum + 32);
      } catch (error) {
        assert.ok(error instanceof TraceError, String(error));
        assert.match(error.message, /\.debug_line is damaged: .* at 0x[\da-f]+$/);
        refused++;
      }
      bytes[offset + at] = before;
    }
  }
  assert.ok(refused > 0);
});
