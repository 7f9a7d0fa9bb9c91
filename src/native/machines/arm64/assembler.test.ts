import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ARG0,
  ARG1,
  ARG2,
  ARG3,
  ARG4,
  ARG5,
  FP,
  indexed,
  KEPT0,
  KEPT1,
  Label,
  mem,
  SCRATCH0,
  SCRATCH1,
  SP,
  VALUE,
} from '../../machine/operands.js';
import { disassembled, without } from '../../testing/toolchain.js';
import { Assembler } from './assembler.js';

const OBJDUMP = process.arch === 'arm64' ? 'objdump' : 'aarch64-linux-gnu-objdump';
const skip = without(OBJDUMP);
const ADDRESS = 0x400000;

const lines = (code: Assembler): readonly string[] =>
  disassembled(code.finish(), ADDRESS, [OBJDUMP, 'aarch64']).map((line) => line.replace(/ \/\/.*$/, ''));

/** What each operation is to objdump. */
const OPERATIONS: readonly (readonly [text: string, emit: (code: Assembler) => void])[] = [
  ['mov x8, x19', (c) => c.mov(VALUE, KEPT0)],
  ['mov w4, w23', (c) => c.mov(ARG4, { register: 15 }, 32)],
  ['mov x29, sp', (c) => c.mov(FP, SP)],
  ['ldr x3, [x0]', (c) => c.mov(ARG3, mem(ARG0))],
  ['ldr x3, [x0, #504]', (c) => c.mov(ARG3, mem(ARG0, 504))],
  ['ldur x3, [x0, #-8]', (c) => c.mov(ARG3, mem(ARG0, -8))],
  ['ldr w3, [x0, #4]', (c) => c.mov(ARG3, mem(ARG0, 4), 32)],
  ['strb w3, [x0, #1]', (c) => c.mov(mem(ARG0, 1), ARG3, 8)],
  ['ldr w2, [x9, x3]', (c) => c.mov(ARG2, indexed(SCRATCH0, ARG3), 32)],
  ['ldr w2, [x9, x3, lsl #2]', (c) => c.mov(ARG2, indexed(SCRATCH0, ARG3, 4), 32)],
  ['add x16, x9, x3; ldr x2, [x16, #8]', (c) => c.mov(ARG2, indexed(SCRATCH0, ARG3, 1, 8))],
  [
    'add x16, x9, x3; add x16, x16, #0x15, lsl #12; str x2, [x16, #64]',
    (c) => c.mov(indexed(SCRATCH0, ARG3, 1, 21 * 4096 + 64), ARG2),
  ],
  ['sub x16, x1, #0x2, lsl #12; ldr x2, [x16]', (c) => c.mov(ARG2, mem(ARG1, -8192))],
  ['str wzr, [x0]', (c) => c.mov(mem(ARG0), 0, 32)],
  ['mov x17, #0x5; str w17, [x0]', (c) => c.mov(mem(ARG0), 5, 32)],
  ['mov x8, #0x9abc; movk x8, #0x5678, lsl #16; movk x8, #0x1234, lsl #32', (c) => c.movImmediate(VALUE, 0x123456789abc)],
  ['mov x8, #0xffffffffffffffff', (c) => c.movImmediate(VALUE, -1n)],
  ['mov x8, #0xffff; movk x8, #0xffff, lsl #16', (c) => c.mov(VALUE, -1, 32)],
  ['ldrh w2, [x1, #2]', (c) => c.movzx(ARG2, mem(ARG1, 2), 16)],
  ['uxth w2, w20', (c) => c.movzx(ARG2, KEPT1, 16)],
  ['ldrsw x2, [x1]', (c) => c.movsxd(ARG2, mem(ARG1))],
  ['add x5, x8, #0x10', (c) => c.lea(ARG5, mem(VALUE, 16))],
  ['add x16, x8, x3, lsl #2; add x5, x16, #0x4', (c) => c.lea(ARG5, indexed(VALUE, ARG3, 4, 4))],
  ['add x16, xzr, x3, lsl #2; add x5, x16, #0x4', (c) => c.lea(ARG5, { index: ARG3, scale: 4, disp: 4 })],
  ['add x10, sp, #0x58', (c) => c.lea(SCRATCH1, mem(SP, 88))],
  ['adds x8, x8, #0x1', (c) => c.add(VALUE, 1)],
  ['subs x8, x8, #0x1', (c) => c.add(VALUE, -1)],
  ['cmn x8, #0x1', (c) => c.cmp(VALUE, -1)],
  ['cmp x8, #0x0', (c) => c.cmp(VALUE, 0)],
  ['ldr x17, [x0, #24]; cmp x17, #0x0', (c) => c.cmp(mem(ARG0, 24), 0)],
  ['ldr x11, [x0, #24]; cmp x8, x11', (c) => c.cmp(VALUE, mem(ARG0, 24))],
  ['mov x11, #0x8000000; cmp x8, x11', (c) => c.cmp(VALUE, 2 ** 27)],
  ['orr w2, w2, w8; tst w2, w2', (c) => c.or(ARG2, VALUE, 32)],
  ['ldrb w17, [x19, #1]; mov x11, #0x4; tst w17, w11', (c) => c.test(mem(KEPT0, 1), 4, 8)],
  ['adds w17, w20, #0x1; bfxil w20, w17, #0, #16', (c) => c.add(KEPT1, 1, 16)],
  ['ldxr x17, [x0]; adds x17, x17, #0x1; stxr w12, x17, [x0]; cbnz w12, 0x400000', (c) => c.unary('inc', mem(ARG0))],
  [
    'add x16, x19, #0x1; ldxrb w17, [x16]; mov x11, #0x2; orr w17, w17, w11; tst w17, w17; stxrb w12, w17, [x16]; cbnz w12, 0x400004',
    (c) => c.or(mem(KEPT0, 1), 2, 8),
  ],
  [
    'dmb ish; ldxr w17, [x0]; cmp w17, w8; b.ne 0x400018; stxr w12, w3, [x0]; cbnz w12, 0x400004; dmb ish; mov w8, w17',
    (c) => c.lockCmpxchg(mem(ARG0), ARG3, 32),
  ],
  ['dmb ish; ldxr w17, [x0]; stxr w12, w3, [x0]; cbnz w12, 0x400004; dmb ish; mov w3, w17', (c) => c.xchg(mem(ARG0), ARG3, 32)],
  ['smulh x11, x8, x3; mul x8, x8, x3; mov x2, x11', (c) => c.unary('imul', ARG3)],
  ['lsl x8, x8, #8', (c) => c.shift('shl', VALUE, 8)],
  ['lsr w8, w8, #2', (c) => c.shift('shr', VALUE, 2, 32)],
  ['asr x8, x8, #63', (c) => c.shift('sar', VALUE, 63)],
  ['lsr x8, x8, x3', (c) => c.shift('shr', VALUE, 'cl')],
  ['cmp x8, #0x0; clz x17, x8; mov x11, #0x3f; sub x2, x11, x17', (c) => c.bsr(ARG2, VALUE)],
  ['stlr w2, [x8]', (c) => c.publish(mem(VALUE), ARG2, 32)],
  ['stlr xzr, [x0]', (c) => c.publish(mem(ARG0), 0)],
  ['str x8, [sp, #-16]!; ldr x8, [sp], #16', (c) => [c.push(VALUE), c.pop(VALUE)]],
  ['str x30, [sp, #-16]!; blr x8; ldr x30, [sp], #16', (c) => c.call(VALUE)],
  ['mov x0, x8; ret', (c) => c.returnValue()],
  ['b 0x400400', (c) => c.jmp(0x400400)],
  ['b.cs 0x400008; b 0x400400', (c) => c.jump('b', 0x400400)],
  ['mrs x16, tpidr_el0; ldur w8, [x16, #-40]', (c) => c.threadWord(VALUE, -40)],
  ['ubfx x8, x8, #0, #48', (c) => c.stripSignature(VALUE)],
  ['mrs x8, cntvct_el0', (c) => c.counter()],
  ['mov x8, #0xb2; mov x16, x0; svc #0x0; mov x8, x0; mov x0, x16', (c) => c.systemCall('gettid')],
  ['stp x11, x12, [sp, #-32]!; stp x8, x30, [sp, #16]', (c) => c.enter([VALUE])],
  ['ldp xzr, x11, [sp]; ldp x12, x8, [sp, #16]; ldp x3, x30, [sp, #32]; add sp, sp, #0x30; ret', (c) => c.leave([VALUE, ARG3])],
];

test('the operations of the emitted code on arm64', { skip }, () => {
  const shown = OPERATIONS.map(([, emit]) => {
    const code = new Assembler(ADDRESS);
    emit(code);
    return lines(code).join('; ');
  });
  assert.deepEqual(
    shown,
    OPERATIONS.map(([text]) => text),
  );
});

test('labels before and behind, and code that is set aside', { skip }, () => {
  const code = new Assembler(ADDRESS);
  const [behind, start] = [new Label(), code.label()];
  code.jump(
    'ne',
    code.aside(() => code.jmp(start)),
  );
  code.jmp(behind);
  code.bind(behind);
  code.jump('a', start);
  code.ret();
  assert.deepEqual(lines(code), ['b.ne 0x400010', 'b 0x400008', 'b.hi 0x400000', 'ret', 'b 0x400000']);
});

test('what arm64 cannot do is refused', () => {
  const code = new Assembler(ADDRESS);
  assert.throws(() => code.jmp(ADDRESS + 2 ** 28), /too far away/);
  assert.throws(() => code.mov(VALUE, 2 ** 40), /does not fit into 32 bits/);
  assert.throws(() => code.mov(mem(VALUE), mem(ARG3)), /two operands in memory/);
});
