import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { parseAddress } from '../../../base/address.js';
import { ElfFile } from '../../elf/elf-file.js';
import { compileText, without } from '../../testing/toolchain.js';
import { Decoder } from './decode.js';

const skip = process.arch !== 'x64' ? 'it has no code for x86-64 to read' : without('objdump', 'gcc');

/** objdump's line of an instruction: address, and text. */
const LINE = /^\s*([\da-f]+):\t(.*)$/;
/** What objdump prints of data: bytes as text, or a prefix alone. */
const DATA = /^(rex|\(bad\)|.*\(bad\))|^[^ ]*\.[^ ]*$|^[A-Z]\.*$/;
const FLOWS = /^(?:notrack |bnd |data16 |addr32 |cs |ds )*(call|j\w+|loop\w*|xbegin)\b/;
const TARGET = /\s([\da-f]+)(?: <|$)/;

/** What the decoder says otherwise than objdump of the first `length` bytes of an object's text. */
async function differences(elf: ElfFile, length: number): Promise<{ count: number; wrong: string[] }> {
  const { address, size } = elf.section('.text')!;
  const code = elf.contents(elf.section('.text')!);
  const stop = `0x${(address + Math.min(size, length)).toString(16)}`;
  const objdump = spawn('objdump', ['-d', '-w', '-j', '.text', '--no-show-raw-insn', '--stop-address', stop, elf.file]);
  const decoder = new Decoder();
  const wrong: string[] = [];
  let count = 0;
  let last: readonly [at: number, text: string] | undefined;
  for await (const line of createInterface({ input: objdump.stdout })) {
    const [, digits, text] = LINE.exec(line) ?? [];
    const at = digits === undefined ? undefined : parseAddress(digits) - address;
    if (at !== undefined && last !== undefined && !DATA.test(last[1])) {
      count++;
      const [from, said] = last;
      const complaint = decoder.read(code, from) ? compare(decoder, code, from, at, said, address) : 'no instruction';
      if (complaint !== undefined) wrong.push(`${code.toString('hex', from, at)} ${said}: ${complaint}`);
    }
    last = at === undefined ? undefined : [at, text!];
  }
  return { count, wrong };
}

function compare(decoder: Decoder, code: Buffer, from: number, to: number, said: string, base: number): string | undefined {
  if (decoder.length !== to - from) return `${decoder.length} bytes`;
  if (/\(%[re]ip\)/.test(said) !== decoder.ripAt > 0) return 'an operand relative to rip';
  const target = FLOWS.test(said) && !said.includes('*') ? TARGET.exec(said) : undefined;
  const own = decoder.target(code, from);
  return target && parseAddress(target[1]!) !== base + (own ?? Number.NaN) ? `branches to ${own}` : undefined;
}

const libc = readFileSync('/proc/self/maps', 'latin1').match(/\S+\/libc\.so\.6$/m)?.[0];

test('all instructions of libc are as long as objdump says, and go to where it says', {
  skip: skip || (!libc && 'no glibc'),
}, async () => {
  const { count, wrong } = await differences(new ElfFile(readFileSync(libc!), libc!), Number.MAX_SAFE_INTEGER);
  assert.deepEqual(wrong, []);
  assert(count > 100_000, `${count} instructions`);
});

test('the same for the first 4 MiB of node', { skip }, async (t) => {
  const node = new ElfFile(readFileSync(process.execPath), process.execPath);
  if ((node.section('.text')?.size ?? 0) < 2 ** 22) return t.skip('this node has its text in a library');
  const { count, wrong } = await differences(node, 2 ** 22);
  assert.deepEqual(wrong, []);
  assert(count > 500_000, `${count} instructions`);
});

/** Encodings that compilers write rarely. */
const RARE = `
  vaddpd %zmm1,%zmm2,%zmm3
  vaddpd 64(%rax),%zmm2,%zmm3{%k1}{z}
  vpternlogd $3,%zmm1,%zmm2,%zmm3
  vfmadd132sh %xmm1,%xmm2,%xmm3
  vpcomb $3,%xmm1,%xmm2,%xmm3
  vfrczpd %xmm1,%xmm2
  bextr $0x1234567,%eax,%ebx
  extrq $3,$4,%xmm1
  insertq $3,$4,%xmm1,%xmm2
  pfadd %mm1,%mm2
  xbegin .
  xabort $3
  movabs 0x1122334455667788,%eax
  movabs $0x1122334455667788,%rax
  addr32 mov 0x12345678,%eax
  movw $0x1234,3(%rip)
  testb $3,(%rax)
  testw $3,(%rax)
  testl $3,(%rax,%rbx,4)
  notl (%rax)
  mov %cr0,%rax
  enter $3,$4
  lretl $4
  jrcxz .
  jecxz .
  loopne .
  crc32q (%rip),%rbx
  vgatherdpd %ymm1,(%rax,%xmm2,8),%ymm3
  kmovq %k1,%rax
  vzeroupper
  notrack jmp *%rax
  lea 0x12345678(,%rax,8),%rbx
  lea (,%rax,8),%rbx
  mov 0x12345678,%eax
  mov %fs:0,%rax
  vextractf128 $1,%ymm1,%xmm2
  pclmulqdq $1,(%rip),%xmm2
  sha1rnds4 $1,%xmm1,%xmm2
  ud1 %eax,%ebx
  pushw $0x1234
  imul $0x12345678,%rax,%rbx
  imul $0x12,%rax,%rbx
  ret
`;

test('rare instructions', { skip }, async (t) => {
  const lines = RARE.trim().split('\n');
  const source = `int main(void) { return 0; }\nasm("${lines.map((line) => line.trim()).join('\\n')}");`;
  const { count, wrong } = await differences(compileText(t, source, ['gcc', '-nostartfiles', '-Wl,-e,main']), 4096);
  assert.deepEqual(wrong, []);
  assert(count >= lines.length, `${count} instructions`);
});

test('what is no instruction, or not a whole one, is not read', () => {
  const decoder = new Decoder();
  const isRead = (...bytes: number[]): boolean => decoder.read(Buffer.from(bytes), 0);
  assert.deepEqual(
    [isRead(0x06), isRead(0x0f, 0x04), isRead(0xe8, 0, 0), isRead(...new Array(16).fill(0x66)), isRead()],
    [false, false, false, false, false],
  );
  assert.equal(isRead(0xe8, 0, 0, 0, 0), true);
});
