import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, fs, indexed, Label, mem, type Register } from '../../machine/operands.js';
import { Assembler } from './assembler.js';
import { R8, R9, R10, R11, R12, R13, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP } from './registers.js';
import { disassemble, noObjdump } from './testing/disassemble.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** What each instruction is to objdump. */
const INSTRUCTIONS: readonly (readonly [text: string, emit: (code: Assembler) => void])[] = [
  ['mov rax,rbx', (c) => c.mov(RAX, RBX)],
  ['mov r8d,r15d', (c) => c.mov(R8, R15, 32)],
  ['mov rcx,QWORD PTR [rdi]', (c) => c.mov(RCX, mem(RDI))],
  ['mov rcx,QWORD PTR [rbp+0x0]', (c) => c.mov(RCX, mem(RBP))],
  ['mov r9,QWORD PTR [r13+0x0]', (c) => c.mov(R9, mem(R13))],
  ['mov r9,QWORD PTR [r12]', (c) => c.mov(R9, mem(R12))],
  ['mov QWORD PTR [rsp+0x8],rdx', (c) => c.mov(mem(RSP, 8), RDX)],
  ['mov DWORD PTR [rsp-0x80],edx', (c) => c.mov(mem(RSP, -128), RDX, 32)],
  ['mov DWORD PTR [r10+0x80],r11d', (c) => c.mov(mem(R10, 128), R11, 32)],
  ['mov WORD PTR [rax],cx', (c) => c.mov(mem(RAX), RCX, 16)],
  ['mov BYTE PTR [rax],sil', (c) => c.mov(mem(RAX), RSI, 8)],
  ['mov al,BYTE PTR [rdi]', (c) => c.mov(RAX, mem(RDI), 8)],
  ['mov DWORD PTR [rax+rcx*4-0x8],0x7fffffff', (c) => c.mov(indexed(RAX, RCX, 4, -8), 0x7fffffff, 32)],
  ['mov QWORD PTR [r8+r12*8+0x1000],0xffffffffffffffff', (c) => c.mov(indexed(R8, R12, 8, 0x1000), -1)],
  ['mov WORD PTR [rdi],0x1234', (c) => c.mov(mem(RDI), 0x1234, 16)],
  ['mov BYTE PTR [rdi],0x7', (c) => c.mov(mem(RDI), 7, 8)],
  ['mov rax,QWORD PTR fs:0x0', (c) => c.mov(RAX, fs(0))],
  ['mov r9d,DWORD PTR fs:0x2d0', (c) => c.mov(R9, fs(0x2d0), 32)],
  ['mov eax,0x0', (c) => c.movImmediate(RAX, 0)],
  ['mov r9d,0xffffffff', (c) => c.movImmediate(R9, 0xffffffff)],
  ['movabs r10,0x7f1234567890', (c) => c.movImmediate(R10, 0x7f1234567890)],
  ['movabs rdx,0xffffffffffffffff', (c) => c.movImmediate(RDX, -1)],
  ['movabs rdx,0x123456789abcdef0', (c) => c.movImmediate(RDX, 0x123456789abcdef0n)],
  ['movzx eax,BYTE PTR [rsi]', (c) => c.movzx(RAX, mem(RSI), 8)],
  ['movzx r8d,WORD PTR [r9+0x2]', (c) => c.movzx(R8, mem(R9, 2), 16)],
  ['movzx ecx,sil', (c) => c.movzx(RCX, RSI, 8)],
  ['movsxd rax,DWORD PTR [rsp]', (c) => c.movsxd(RAX, mem(RSP))],
  ['lea rsp,[rsp+0x10]', (c) => c.lea(RSP, mem(RSP, 16))],
  ['lea r9,[r8+rdx*2]', (c) => c.lea(R9, indexed(R8, RDX, 2))],
  ['add rax,0x1', (c) => c.add(RAX, 1)],
  ['add rax,0x80', (c) => c.add(RAX, 128)],
  ['add QWORD PTR [rbx+0x10],rax', (c) => c.add(mem(RBX, 16), RAX)],
  ['add eax,DWORD PTR [rdx]', (c) => c.add(RAX, mem(RDX), 32)],
  ['or ecx,0x10', (c) => c.or(RCX, 16, 32)],
  ['and rsp,0xfffffffffffffff0', (c) => c.and(RSP, -16)],
  ['sub r11,r10', (c) => c.sub(R11, R10)],
  ['xor eax,eax', (c) => c.xor(RAX, RAX, 32)],
  ['cmp QWORD PTR [rdi+r9*1],r8', (c) => c.cmp(indexed(RDI, R9), R8)],
  ['cmp DWORD PTR [rdi+0xc],0x0', (c) => c.cmp(mem(RDI, 12), 0, 32)],
  ['cmp r9,QWORD PTR [rdi+0x8]', (c) => c.cmp(R9, mem(RDI, 8))],
  ['cmp BYTE PTR [rdi],0x1f', (c) => c.cmp(mem(RDI), 0x1f, 8)],
  ['sbb rdx,0x0', (c) => c.arithmetic('sbb', RDX, 0)],
  ['adc rdx,rcx', (c) => c.arithmetic('adc', RDX, RCX)],
  ['test rax,rax', (c) => c.test(RAX, RAX)],
  ['test ecx,0x3', (c) => c.test(RCX, 3, 32)],
  ['test BYTE PTR [rdi],0x10', (c) => c.test(mem(RDI), 0x10, 8)],
  ['inc QWORD PTR [rbx+0x18]', (c) => c.unary('inc', mem(RBX, 24))],
  ['dec ecx', (c) => c.unary('dec', RCX, 32)],
  ['not rdx', (c) => c.unary('not', RDX)],
  ['neg r9', (c) => c.unary('neg', R9)],
  ['mul QWORD PTR [rdi+0x20]', (c) => c.unary('mul', mem(RDI, 32))],
  ['div rcx', (c) => c.unary('div', RCX)],
  ['shl edx,0x5', (c) => c.shift('shl', RDX, 5, 32)],
  ['shr r8,cl', (c) => c.shift('shr', R8, 'cl')],
  ['sar rax,0x20', (c) => c.shift('sar', RAX, 32)],
  ['shrd rax,rdx,0x14', (c) => c.shrd(RAX, RDX, 20)],
  ['shrd rax,rdx,cl', (c) => c.shrd(RAX, RDX, 'cl')],
  ['imul rcx,rax', (c) => c.imul(RCX, RAX)],
  ['imul QWORD PTR [r10+rcx*1+0x8]', (c) => c.unary('imul', indexed(R10, RCX, 1, 8))],
  ['imul r9,rcx,0x28', (c) => c.imulBy(R9, RCX, 40)],
  ['bsr rcx,rax', (c) => c.bsr(RCX, RAX)],
  ['bt DWORD PTR [rsi],0x3', (c) => c.bt(mem(RSI), 3, 32)],
  ['bt DWORD PTR [rsi],ecx', (c) => c.bt(mem(RSI), RCX, 32)],
  ['cmove rax,r9', (c) => c.cmov('e', RAX, R9)],
  ['cmovb ecx,DWORD PTR [rdi]', (c) => c.cmov('b', RCX, mem(RDI), 32)],
  ['setne dil', (c) => c.set('ne', RDI)],
  ['seta BYTE PTR [rax]', (c) => c.set('a', mem(RAX))],
  ['xchg DWORD PTR [rdi],eax', (c) => c.xchg(mem(RDI), RAX, 32)],
  ['lock cmpxchg QWORD PTR [rdi+rcx*8],rdx', (c) => c.lockCmpxchg(indexed(RDI, RCX, 8), RDX)],
  ['lock cmpxchg DWORD PTR [r8],r9d', (c) => c.lockCmpxchg(mem(R8), R9, 32)],
  ['lock xadd QWORD PTR [rdi+0x40],rax', (c) => c.lockXadd(mem(RDI, 64), RAX)],
  ['lock and DWORD PTR [rsi+0xc],0xffffffef', (c) => c.lockArithmetic('and', mem(RSI, 12), -17, 32)],
  ['lock add QWORD PTR [rsi],r9', (c) => c.lockArithmetic('add', mem(RSI), R9)],
  ['push r12', (c) => c.push(R12)],
  ['push 0x12345', (c) => c.push(0x12345)],
  ['push QWORD PTR [rsp+0x8]', (c) => c.push(mem(RSP, 8))],
  ['pop rdi', (c) => c.pop(RDI)],
  ['pop QWORD PTR [r9]', (c) => c.pop(mem(R9))],
  ['call rax', (c) => c.call(RAX)],
  ['call QWORD PTR [r12+0x8]', (c) => c.call(mem(R12, 8))],
  ['jmp r11', (c) => c.jmp(R11)],
  ['ret', (c) => c.ret()],
  ['ret', (c) => c.returnValue()],
  ['ret 0x8', (c) => c.ret(8)],
  ['rdtsc', (c) => c.rdtsc()],
  ['syscall', (c) => c.syscall()],
  ['pushf', (c) => c.pushfq()],
  ['popf', (c) => c.popfq()],
  ['clc', (c) => c.clc()],
  ['stc', (c) => c.stc()],
  ['pause', (c) => c.pause()],
  ['int3', (c) => c.int3()],
  ['ud2', (c) => c.ud2()],
  ['endbr64', (c) => c.endbr64()],
];

test('each instruction is what objdump reads', { skip: noObjdump }, () => {
  const code = new Assembler();
  for (const [, emit] of INSTRUCTIONS) emit(code);
  assert.deepEqual(
    disassemble(code.finish()),
    INSTRUCTIONS.map(([text]) => text),
  );
});

test('every register as base, index, source and target', { skip: noObjdump }, () => {
  const names = ['rax', 'rcx', 'rdx', 'rbx', 'rsp', 'rbp', 'rsi', 'rdi', 'r8', 'r9', 'r10', 'r11', 'r12', 'r13', 'r14', 'r15'];
  const code = new Assembler();
  const expected: string[] = [];
  const register = (number: number): Register => ({ register: number });
  for (const [b, base] of names.entries()) {
    for (const [i, index] of names.entries()) {
      if (i === RSP.register) continue;
      code.mov(indexed(register(b), register(i), 4, 0x10), register(15 - i));
      expected.push(`mov QWORD PTR [${base}+${index}*4+0x10],${names[15 - i]}`);
    }
  }
  assert.deepEqual(disassemble(code.finish()), expected);
});

test('calls and jumps go to labels before and after, and to addresses', () => {
  const code = new Assembler(0x1000);
  const end = new Label();
  const start = code.label();
  code.jump('e', end);
  code.call(start);
  code.jmp(0x2000);
  code.bind(end);
  code.ret();
  assert.equal(hex(code.finish()), '0f840a000000' + 'e8f5ffffff' + 'e9f00f0000' + 'c3');
  assert.equal(code.addressOf(end), 0x1010);
});

test('memory at a label: relative to the instruction’s end, whatever follows its operand', () => {
  const code = new Assembler();
  const word = new Label();
  code.mov(RAX, at(word));
  code.cmp(at(word), 1, 32);
  code.mov(at(word), 0x1000, 32);
  code.bind(word);
  code.int64(7n);
  assert.equal(hex(code.finish()), '488b0511000000' + '833d0a00000001' + 'c7050000000000100000' + '0700000000000000');
});

test('what cannot be encoded is refused', () => {
  const code = new Assembler(0x1000);
  assert.throws(() => code.call(0x7f0000000000), /0x7f0000000000 is not within 2 GiB of 0x1005/);
  assert.throws(() => code.mov(RAX, mem(RAX, 2 ** 31)), /displacement of 2147483648/);
  assert.throws(() => code.mov(mem(RAX), 2 ** 32), /4294967296 does not fit/);
  assert.throws(() => code.lea(RAX, indexed(RAX, RSP)), /rsp cannot be an index/);
  code.jmp(new Label());
  assert.throws(() => code.finish(), /not bound/);
});
