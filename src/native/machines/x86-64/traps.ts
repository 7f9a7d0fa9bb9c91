import { SHARED, SIGNAL_ACTION, TRAP_ENTRIES, TRAP_ENTRY, TRAP_SHIFT, TRAPS } from '../../code/arena.js';
import { emitRestore } from '../../code/trampoline-end.js';
import { at, Label, mem, type Register } from '../../machine/operands.js';
import { type MachineTraps, SIGTRAP_BIT, type SignalCall } from '../../machine/traps.js';
import { Assembler } from './assembler.js';
import { RED_ZONE } from './probe-machine.js';
import { R8, R9, R10, RAX, RBX, RCX, RDI, RDX, RSI, RSP } from './registers.js';

/**
 * Code for probes that stand at an INT3. The handler of SIGTRAP makes the interrupted thread go on in the probe's thunk, which
 * records the hit, runs the instruction that was there, and jumps back: so nothing is recorded inside of a signal handler. A
 * thread that blocks SIGTRAP would be ended by the system at an INT3. Hence the C library's calls that block signals leave
 * SIGTRAP out, and the one that sets handlers keeps the program's own for SIGTRAP aside, which the handler calls for all other
 * traps.
 */

const WORD = 8;
const SIGTRAP = 5;
const SIGSET_BYTES = 8;
const LAST_SIGNAL = 64;
/** The system calls by which a thread says which signals it takes. */
const SIGNAL_CALL: Readonly<Record<SignalCall['name'], number>> = { rt_sigaction: 13, rt_sigprocmask: 14 };
/** Bytes of `mov $NR, %eax`, and of the `syscall` behind it. */
const LOAD_BYTES = 5;
const SYSCALL_BYTES = 2;
const HANDLER = { default: 0, ignore: 1 } as const;
const MASK = { block: 0, unblock: 1 } as const;
const FLAG = { siginfo: 4, restorer: 0x0400_0000, restart: 0x1000_0000, nodefer: 0x4000_0000 } as const;
const RESETS_HANDLER = 31;
const CALL = { ...SIGNAL_CALL, rt_sigreturn: 15, getpid: 39, gettid: 186, tgkill: 234 } as const;
/** In struct siginfo; in struct ucontext: where the thread goes on. */
const SI_CODE = 8;
const UC_RIP = 168;

/** Calls rt_sigaction for the signal in edi; rax becomes its result. r10, rcx and r11 are lost. */
function emitSigaction(code: Assembler, action: Register | 'none', old: Register | 'none'): void {
  if (action === 'none') code.xor(RSI, RSI, 32);
  else if (action !== RSI) code.mov(RSI, action);
  if (old === 'none') code.xor(RDX, RDX, 32);
  else if (old !== RDX) code.mov(RDX, old);
  code.movImmediate(R10, SIGSET_BYTES);
  code.movImmediate(RAX, CALL.rt_sigaction);
  code.syscall();
}

function emitCopyAction(code: Assembler, to: Register, from: Register, by: Register): void {
  for (let field = 0; field < SIGNAL_ACTION.BYTES; field += WORD) {
    code.mov(by, mem(from, field));
    code.mov(mem(to, field), by);
  }
}

function signalCalls(code: Buffer): readonly SignalCall[] {
  return (Object.keys(SIGNAL_CALL) as SignalCall['name'][]).flatMap((name) => {
    const pattern = Buffer.of(0xb8, SIGNAL_CALL[name], 0, 0, 0, 0x0f, 0x05);
    const found: SignalCall[] = [];
    for (let offset = code.indexOf(pattern); offset >= 0; offset = code.indexOf(pattern, offset + 1))
      found.push({ name, offset });
    return found;
  });
}

function buildInstaller(address: number, arena: number): Uint8Array {
  const code = new Assembler(address);
  const [next, kept, restorer, handler] = Array.from({ length: 4 }, () => new Label());
  code.push(RBX);
  code.sub(RSP, SIGNAL_ACTION.BYTES);
  code.movImmediate(RBX, 1);
  const again = code.label();
  code.mov(RDI, RBX);
  emitSigaction(code, 'none', RSP);
  code.test(RAX, RAX);
  code.jump('ne', next!);
  code.cmp(mem(RSP, SIGNAL_ACTION.HANDLER), HANDLER.ignore);
  code.jump('be', next!);
  code.test(mem(RSP, SIGNAL_ACTION.MASK), SIGTRAP_BIT, 8);
  code.jump('e', next!);
  code.and(mem(RSP, SIGNAL_ACTION.MASK), ~SIGTRAP_BIT);
  code.mov(RDI, RBX);
  emitSigaction(code, RSP, 'none');
  code.bind(next!);
  code.add(RBX, 1);
  code.cmp(RBX, LAST_SIGNAL);
  code.jump('be', again);

  code.movImmediate(RDI, SIGTRAP);
  emitSigaction(code, 'none', RSP);
  code.lea(RAX, at(handler!));
  code.cmp(mem(RSP, SIGNAL_ACTION.HANDLER), RAX);
  code.jump('e', kept!);
  code.movImmediate(R10, arena + SHARED.TRAP_ACTION);
  emitCopyAction(code, R10, RSP, RAX);
  code.lea(RAX, at(handler!));
  code.mov(mem(RSP, SIGNAL_ACTION.HANDLER), RAX);
  code.movImmediate(RAX, FLAG.siginfo | FLAG.restorer | FLAG.restart | FLAG.nodefer);
  code.mov(mem(RSP, SIGNAL_ACTION.FLAGS), RAX);
  code.lea(RAX, at(restorer!));
  code.mov(mem(RSP, SIGNAL_ACTION.RESTORER), RAX);
  code.mov(mem(RSP, SIGNAL_ACTION.MASK), 0);
  code.movImmediate(RDI, SIGTRAP);
  emitSigaction(code, RSP, 'none');
  code.bind(kept!);
  code.add(RSP, SIGNAL_ACTION.BYTES);
  code.pop(RBX);
  code.ret();

  // As the C library's, which unwinders know by its bytes.
  code.align(16);
  code.bytes(0x90);
  code.bind(restorer!);
  code.bytes(0x48, 0xc7, 0xc0, CALL.rt_sigreturn, 0, 0, 0, 0x0f, 0x05);
  code.align(16);
  code.bind(handler!);
  emitHandler(code, arena);
  return code.finish();
}

function buildRemover(address: number, arena: number): Uint8Array {
  const code = new Assembler(address);
  code.movImmediate(RDI, SIGTRAP);
  code.movImmediate(RSI, arena + SHARED.TRAP_ACTION);
  emitSigaction(code, RSI, 'none');
  code.ret();
  return code.finish();
}

/** The handler of SIGTRAP: edi the signal, rsi its siginfo, rdx the ucontext. */
function emitHandler(code: Assembler, arena: number): void {
  const [found, none] = [new Label(), new Label()];
  code.mov(RCX, mem(RDX, UC_RIP));
  code.sub(RCX, 1);
  code.movImmediate(R10, arena + TRAPS);
  code.mov(RAX, RCX, 32);
  code.mov(R8, RCX, 32);
  code.shift('shr', R8, TRAP_SHIFT, 32);
  code.xor(RAX, R8, 32);
  const again = code.label();
  code.and(RAX, TRAP_ENTRIES - 1, 32);
  code.mov(R8, RAX, 32);
  code.shift('shl', R8, Math.log2(TRAP_ENTRY.BYTES));
  code.add(R8, R10);
  code.mov(R9, mem(R8, TRAP_ENTRY.ADDRESS));
  code.cmp(R9, RCX);
  code.jump('e', found);
  code.test(R9, R9);
  code.jump('e', none);
  code.add(RAX, 1, 32);
  code.jmp(again);
  code.bind(found);
  code.mov(RAX, mem(R8, TRAP_ENTRY.THUNK));
  code.mov(mem(RDX, UC_RIP), RAX);
  code.ret();
  code.bind(none);
  emitProgramsHandler(code, arena);
}

/** Does what the program has asked for, as if the system did. It cannot block SIGTRAP meanwhile, and gets no stack of its own. */
function emitProgramsHandler(code: Assembler, arena: number): void {
  const [ends, stays, ignored] = [new Label(), new Label(), new Label()];
  code.movImmediate(R8, arena + SHARED.TRAP_ACTION);
  code.mov(R9, mem(R8, SIGNAL_ACTION.HANDLER));
  code.cmp(R9, HANDLER.ignore);
  code.jump('e', ignored);
  code.jump('b', ends);
  const saved = [RDI, RSI, RDX];
  for (const register of saved) code.push(register);
  code.mov(RAX, mem(R8, SIGNAL_ACTION.MASK));
  code.and(RAX, ~SIGTRAP_BIT);
  code.push(RAX);
  code.movImmediate(RDI, MASK.block);
  code.mov(RSI, RSP);
  code.xor(RDX, RDX, 32);
  code.movImmediate(R10, SIGSET_BYTES);
  code.movImmediate(RAX, CALL.rt_sigprocmask);
  code.syscall();
  code.lea(RSP, mem(RSP, WORD));
  emitRestore(code, saved);
  code.bt(mem(R8, SIGNAL_ACTION.FLAGS), RESETS_HANDLER, 64);
  code.jump('ae', stays);
  code.mov(mem(R8, SIGNAL_ACTION.HANDLER), HANDLER.default);
  code.bind(stays);
  code.jmp(R9);

  // A trap of the processor cannot be ignored.
  code.bind(ignored);
  code.cmp(mem(RSI, SI_CODE), 0, 32);
  code.jump('g', ends);
  code.ret();
  code.bind(ends);
  code.sub(RSP, SIGNAL_ACTION.BYTES);
  for (let field = 0; field < SIGNAL_ACTION.BYTES; field += WORD) code.mov(mem(RSP, field), 0);
  code.movImmediate(RDI, SIGTRAP);
  emitSigaction(code, RSP, 'none');
  code.movImmediate(RAX, CALL.getpid);
  code.syscall();
  code.mov(RDI, RAX);
  code.movImmediate(RAX, CALL.gettid);
  code.syscall();
  code.mov(RSI, RAX);
  code.movImmediate(RDX, SIGTRAP);
  code.movImmediate(RAX, CALL.tgkill);
  code.syscall();
  code.add(RSP, SIGNAL_ACTION.BYTES);
  code.ret();
}

function buildSignalHook(address: number, arena: number, name: SignalCall['name'], load: number): Uint8Array {
  const code = new Assembler(address);
  const call = load + LOAD_BYTES;
  const plain = new Label();
  code.lea(RSP, mem(RSP, -RED_ZONE));
  code.pushfq();
  if (name === 'rt_sigaction') emitSigactionHook(code, arena, plain, call + SYSCALL_BYTES);
  else emitMaskHook(code, plain, call + SYSCALL_BYTES);
  code.bind(plain);
  code.popfq();
  code.lea(RSP, mem(RSP, RED_ZONE));
  code.movImmediate(RAX, SIGNAL_CALL[name]);
  code.jmp(call);
  return code.finish();
}

function emitHookEnd(code: Assembler, behind: number): void {
  code.popfq();
  code.lea(RSP, mem(RSP, RED_ZONE));
  code.jmp(behind);
}

function emitMaskHook(code: Assembler, plain: Label, behind: number): void {
  code.test(RSI, RSI);
  code.jump('e', plain);
  code.cmp(RDI, MASK.unblock, 32);
  code.jump('e', plain);
  code.mov(RAX, mem(RSI));
  code.and(RAX, ~SIGTRAP_BIT);
  code.push(RSI);
  code.push(RAX);
  code.mov(RSI, RSP);
  code.movImmediate(RAX, CALL.rt_sigprocmask);
  code.syscall();
  code.pop(RSI);
  code.pop(RSI);
  emitHookEnd(code, behind);
}

function emitSigactionHook(code: Assembler, arena: number, plain: Label, behind: number): void {
  const [trap, noOld, done] = [new Label(), new Label(), new Label()];
  code.cmp(RDI, SIGTRAP, 32);
  code.jump('e', trap);
  code.test(RSI, RSI);
  code.jump('e', plain);
  code.push(RSI);
  for (let field = SIGNAL_ACTION.BYTES - WORD; field >= 0; field -= WORD) code.push(mem(RSI, field));
  code.and(mem(RSP, SIGNAL_ACTION.MASK), ~SIGTRAP_BIT);
  code.mov(RSI, RSP);
  code.movImmediate(RAX, CALL.rt_sigaction);
  code.syscall();
  code.lea(RSP, mem(RSP, SIGNAL_ACTION.BYTES));
  code.pop(RSI);
  emitHookEnd(code, behind);

  // The new one is read before the old one is written: both may be the same memory.
  code.bind(trap);
  code.movImmediate(RCX, arena + SHARED.TRAP_ACTION);
  for (let field = SIGNAL_ACTION.BYTES - WORD; field >= 0; field -= WORD) code.push(mem(RCX, field));
  code.test(RSI, RSI);
  code.jump('e', noOld);
  emitCopyAction(code, RCX, RSI, RAX);
  code.bind(noOld);
  code.test(RDX, RDX);
  code.jump('e', done);
  emitCopyAction(code, RDX, RSP, RAX);
  code.bind(done);
  code.lea(RSP, mem(RSP, SIGNAL_ACTION.BYTES));
  code.xor(RAX, RAX, 32);
  emitHookEnd(code, behind);
}

/** Breakpoints of probes on x86-64. */
export const traps: MachineTraps = { loadBytes: LOAD_BYTES, signalCalls, buildInstaller, buildRemover, buildSignalHook };
