import { Label, mem } from '../machine/operands.js';
import type { Assembler } from '../x86-64/assembler.js';
import { R8, R9, R10, R12, R15, RAX, RBX, RCX, RDI, RDX, RSI, RSP } from '../x86-64/registers.js';
import { BLOCK } from './arena.js';

const CALL = { prctl: 157, process_vm_readv: 310 } as const;
const PR_GET_NAME = 16;
/** Bytes of a task's name (TASK_COMM_LEN). */
const COMM_BYTES = 16;
const PAGE = 4096;
/** Bytes of a text that are read at once. */
const CHUNK = 256;
/** Bytes of a record, without its header, at most: it must fit on a page. */
export const MAX_RECORD = 4000;

/** The parts of probes' code that stand once in each range of code memory: their addresses. */
export interface ProbeMemoryCode {
  /** rcx bytes at rax, to rdx: rax becomes how many of them there were. */
  readonly read: number;
  /** The text at rax, to rdx, behind which MAX_RECORD bytes from r12 on are free: rax becomes its length with its zero byte; 0: a fault. */
  readonly readText: number;
  /** The name of the task, to rdx: the same. */
  readonly comm: number;
}

/**
 * Emits what reads the program's memory, which may not be there. The thread's stack is read as it is; all else by process_vm_readv, which fails
 * where a load would end the program. rsi is the thread's block. rax, rcx, rdx, r8, r9, r11 are lost.
 * @param pid the process as it knows itself
 */
export function emitProbeMemory(code: Assembler, pid: number): ProbeMemoryCode {
  code.align(16);
  const read = code.here;
  emitRead(code, pid);
  code.align(16);
  const readText = code.here;
  emitReadText(code, read);
  code.align(16);
  const comm = code.here;
  emitComm(code);
  return { read, readText, comm };
}

function emitRead(code: Assembler, pid: number): void {
  const slow = new Label();
  const other = new Label();
  const some = new Label();
  code.lea(R8, { base: RAX, index: RCX, scale: 1, disp: 0 });
  code.cmp(RSP, mem(RSI, BLOCK.READ_LOW));
  code.jump('b', slow);
  code.cmp(RAX, RSP);
  code.jump('b', slow);
  code.cmp(R8, mem(RSI, BLOCK.READ_HIGH));
  code.jump('a', slow);
  code.cmp(R8, RAX);
  code.jump('b', slow);
  code.cmp(RCX, 8);
  code.jump('ne', other);
  code.mov(R8, mem(RAX));
  code.mov(mem(RDX), R8);
  code.mov(RAX, RCX);
  code.ret();
  code.bind(other);
  code.push(RSI);
  code.push(RDI);
  code.mov(RSI, RAX);
  code.mov(RDI, RDX);
  code.mov(RAX, RCX);
  code.repMovs(8);
  code.pop(RDI);
  code.pop(RSI);
  code.ret();

  code.bind(slow);
  for (const register of [RSI, RDI, R10]) code.push(register);
  // struct iovec: there, here.
  for (const register of [RCX, RAX, RCX, RDX]) code.push(register);
  code.movImmediate(RDI, pid);
  code.mov(RSI, RSP);
  code.movImmediate(RDX, 1);
  code.lea(R10, mem(RSP, 16));
  code.movImmediate(R8, 1);
  code.xor(R9, R9, 32);
  code.movImmediate(RAX, CALL.process_vm_readv);
  code.syscall();
  code.lea(RSP, mem(RSP, 32));
  for (const register of [R10, RDI, RSI]) code.pop(register);
  code.test(RAX, RAX);
  code.jump('ns', some);
  code.xor(RAX, RAX, 32);
  code.bind(some);
  code.ret();
}

/** rbx: where the text goes on; r15: where it goes on in the program. */
function emitReadText(code: Assembler, read: number): void {
  const [again, short, fits, found, cut, leave] = Array.from({ length: 6 }, () => new Label());
  for (const register of [RBX, R15, RDI, RDX]) code.push(register);
  code.mov(R15, RAX);
  code.mov(RBX, RDX);
  code.bind(again!);
  // Up to the end of its page, and of the record.
  code.mov(RCX, R15);
  code.and(RCX, PAGE - 1, 32);
  code.unary('neg', RCX);
  code.add(RCX, PAGE);
  code.cmp(RCX, CHUNK);
  code.jump('be', short!);
  code.movImmediate(RCX, CHUNK);
  code.bind(short!);
  code.lea(RAX, mem(R12, MAX_RECORD));
  code.sub(RAX, RBX);
  code.jump('be', cut!);
  code.cmp(RCX, RAX);
  code.jump('be', fits!);
  code.mov(RCX, RAX);
  code.bind(fits!);
  code.mov(RAX, R15);
  code.mov(RDX, RBX);
  code.call(read);
  code.test(RAX, RAX);
  code.jump('e', leave!);
  code.add(R15, RAX);
  code.mov(RCX, RAX);
  code.mov(RDI, RBX);
  code.add(RBX, RAX);
  code.xor(RAX, RAX, 32);
  code.repneScasb();
  code.jump('ne', again!);
  code.bind(found!);
  code.mov(RAX, RDI);
  code.sub(RAX, mem(RSP));
  code.bind(leave!);
  for (const register of [RDX, RDI, R15, RBX]) code.pop(register);
  code.ret();

  // No room is left: the text ends here, if there is any of it.
  code.bind(cut!);
  code.mov(RDI, RBX);
  code.xor(RAX, RAX, 32);
  code.cmp(RDI, mem(RSP));
  code.jump('be', leave!);
  code.mov(mem(RDI, -1), 0, 8);
  code.jmp(found!);
}

function emitComm(code: Assembler): void {
  for (const register of [RSI, RDI, RDX]) code.push(register);
  code.movImmediate(RDI, PR_GET_NAME);
  code.mov(RSI, RDX);
  code.movImmediate(RAX, CALL.prctl);
  code.syscall();
  code.mov(RDI, mem(RSP));
  code.movImmediate(RCX, COMM_BYTES);
  code.xor(RAX, RAX, 32);
  code.repneScasb();
  code.mov(RAX, RDI);
  code.sub(RAX, mem(RSP));
  for (const register of [RDX, RDI, RSI]) code.pop(register);
  code.ret();
}
