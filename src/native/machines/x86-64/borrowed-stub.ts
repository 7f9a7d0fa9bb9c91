import {
  type BorrowedStub,
  DONE_WORD,
  type Patch,
  type RemoteCall,
  type RemoteFunctionCall,
  SCRATCH_BYTES,
  type StubMachine,
  type StubRequest,
} from '../../process/borrowed-stub.js';

const PAUSE = 34;
const GETTID = 186;
const SCHED_YIELD = 24;

/** A jump to the stub has this many bytes. */
const JUMP_BYTES = 5;
const WORD = 8;

/** `mov reg, imm64` of the registers of a system call's arguments. */
const LOAD_IMMEDIATE = [
  [0x48, 0xbf],
  [0x48, 0xbe],
  [0x48, 0xba],
  [0x49, 0xba],
  [0x49, 0xb8],
  [0x49, 0xb9],
] as const;
/** `mov reg, [rbp + disp32]` of the same. */
const LOAD_RESULT = [
  [0x48, 0x8b, 0xbd],
  [0x48, 0x8b, 0xb5],
  [0x48, 0x8b, 0x95],
  [0x4c, 0x8b, 0x95],
  [0x4c, 0x8b, 0x85],
  [0x4c, 0x8b, 0x8d],
] as const;

/** `mov reg, imm64` of the registers of a function's arguments. */
const LOAD_ARGUMENT = [
  [0x48, 0xbf],
  [0x48, 0xbe],
  [0x48, 0xba],
  [0x48, 0xb9],
  [0x49, 0xb8],
  [0x49, 0xb9],
] as const;
/** mov eax, -1; mov edx, -1 */
const ALL_STATE = [0xb8, 0xff, 0xff, 0xff, 0xff, 0xba, 0xff, 0xff, 0xff, 0xff];

/** Calls a function on a stack of its own; the result is pushed as that of the system calls before it. */
function functionCall({ address, args, scratch }: RemoteFunctionCall, resultsBefore: number): number[] {
  return [
    // mov rsp, the stack; mov rbx, the state; xsave64 [rbx]; cld
    ...[0x48, 0xbc, ...word64(scratch + SCRATCH_BYTES), 0x48, 0xbb, ...word64(scratch)],
    ...[...ALL_STATE, 0x48, 0x0f, 0xae, 0x23, 0xfc],
    ...args.flatMap((arg, i) => [...LOAD_ARGUMENT[i]!, ...word64(arg)]),
    // mov rax, address; call rax; mov rcx, rax
    ...[0x48, 0xb8, ...word64(address), 0xff, 0xd0, 0x48, 0x89, 0xc1],
    // xrstor64 [rbx]; lea rsp, [rbp - the results]; push rcx
    ...[...ALL_STATE, 0x48, 0x0f, 0xae, 0x2b, 0x48, 0x8d, 0xa5, ...word32(-WORD * resultsBefore), 0x51],
  ];
}

/** lea rsp, [rsp-128]; pushfq; push rax, rcx, rdx, rbx, rbp, rsi, rdi, r8 ... r15; mov rbp, rsp */
const SAVE = [
  ...[0x48, 0x8d, 0x64, 0x24, 0x80, 0x9c, 0x50, 0x51, 0x52, 0x53, 0x55, 0x56, 0x57],
  ...[0x41, 0x50, 0x41, 0x51, 0x41, 0x52, 0x41, 0x53, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57],
  ...[0x48, 0x89, 0xe5],
];
/** Offset of the saved rcx from rbp. */
const SAVED_RCX = 13 * WORD;
/** mov rsp, rbp; pop r15 ... r8, rdi, rsi, rbp, rbx, rdx, rcx, rax; popfq; lea rsp, [rsp+128] */
const RESTORE = [
  ...[0x48, 0x89, 0xec],
  ...[0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x41, 0x5b, 0x41, 0x5a, 0x41, 0x59, 0x41, 0x58],
  ...[0x5f, 0x5e, 0x5d, 0x5b, 0x5a, 0x59, 0x58, 0x9d, 0x48, 0x8d, 0xa4, 0x24, 0x80, 0x00, 0x00, 0x00],
];

const word32 = (value: number): number[] => [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, (value >>> 24) & 0xff];
const word64 = (value: number): number[] => [...word32(value), ...word32(Math.floor(value / 2 ** 32))];
const moveEax = (value: number): number[] => [0xb8, ...word32(value)];
const SYSCALL = [0x0f, 0x05];

/** `jmp` at an address; the target is near. */
const jump = (from: number, to: number): number[] => [0xe9, ...word32(to - from - JUMP_BYTES)];

/** jmp [rip]: the target stands behind it, and is anywhere. */
const FAR_JUMP = [0xff, 0x25, 0, 0, 0, 0];
const farJump = (to: number): number[] => [...FAR_JUMP, ...word64(to)];
const FAR_JUMP_BYTES = FAR_JUMP.length + WORD;

/** The place of a jump that `setJump` writes. */
const NO_JUMP = [0, 0, 0, 0, 0];
const setJump = (code: number[], from: number, to: number): void =>
  jump(from, to).forEach((byte, i) => void (code[from + i] = byte));

/**
 * xor ecx, ecx, in the place of a `syscall`: who comes from there has 0 in rcx, and who comes out of a system call the address
 * behind it. The instruction replaces both rcx and the flags anyway, as far as programs can tell.
 */
const MARK = [0x31, 0xc9];

/** Makes the stub for a request. */
function borrowedStub({ address, step, tid, pc, isInCall, calls, last = [] }: StubRequest): BorrowedStub {
  const code: number[] = [...SAVE, ...moveEax(GETTID), ...SYSCALL, 0x3d, ...word32(tid), 0x0f, 0x85];
  const toOthers = code.length;
  code.push(0, 0, 0, 0);
  const constants: number[] = [];
  const pointers: { readonly at: number; readonly offset: number }[] = [];
  const make = (call: RemoteCall | RemoteFunctionCall, i: number): void => {
    if ('address' in call) {
      code.push(...functionCall(call, i));
      return;
    }
    const { nr, args } = call;
    for (const [i, arg] of args.entries()) {
      if (typeof arg === 'object' && 'result' in arg) {
        code.push(...LOAD_RESULT[i]!, ...word32(-WORD * (arg.result + 1)));
        continue;
      }
      code.push(...LOAD_IMMEDIATE[i]!);
      if (typeof arg === 'object') {
        pointers.push({ at: code.length, offset: constants.length });
        constants.push(...arg.bytes);
      }
      code.push(...word64(typeof arg === 'number' ? arg : 0));
    }
    // push rax: the result
    code.push(...moveEax(nr), ...SYSCALL, 0x50);
  };
  for (const [i, call] of calls.entries()) make(call, i);

  // mov edi, DONE_WORD; mov rsi, rbp; mov edx, 1; pause; again
  const done = code.length;
  code.push(...moveEax(PAUSE), 0xbf, ...word32(DONE_WORD), 0x48, 0x89, 0xee, 0xba, ...word32(1));
  const doneWait = code.length;
  code.push(...SYSCALL);
  code.push(0xeb, done - (code.length + 2));
  const toLast = code.length;
  code.push(...NO_JUMP);

  const others = code.length;
  word32(others - toOthers - 4).forEach((byte, i) => void (code[toOthers + i] = byte));
  code.push(...moveEax(SCHED_YIELD));
  const othersWait = code.length;
  code.push(...SYSCALL);
  code.push(0xeb, others - (code.length + 2));
  const toLeave = code.length;
  code.push(...NO_JUMP);

  const lastCalls = code.length;
  for (const [i, call] of last.entries()) make(call, calls.length + i);
  const leave = code.length;
  if (isInCall) {
    // cmp qword [rbp + SAVED_RCX], 0; jne behind the way to the call
    code.push(0x48, 0x83, 0x7d, SAVED_RCX, 0, 0x75, RESTORE.length + FAR_JUMP_BYTES, ...RESTORE);
    code.push(...farJump(pc - SYSCALL.length));
  }
  code.push(...RESTORE, ...farJump(pc));

  for (const { at, offset } of pointers) word64(address + code.length + offset).forEach((byte, i) => void (code[at + i] = byte));
  code.push(...constants);
  setJump(code, toLast, lastCalls);
  setJump(code, toLeave, leave);
  const leaveBy = (at: number, way: number): Patch => ({ address: address + at, bytes: Uint8Array.of(0xeb, way - (at + 2)) });
  const mark = isInCall ? MARK : [];
  return {
    code: [
      { address, bytes: Uint8Array.from(code) },
      ...(step === undefined ? [] : [{ address: step, bytes: Uint8Array.from(farJump(address)) }]),
    ],
    entry: { address: pc - mark.length, bytes: Uint8Array.from([...mark, ...jump(pc, step ?? address)]) },
    release: [leaveBy(doneWait, toLast), leaveBy(othersWait, toLeave)],
  };
}

/** How x86-64 borrows a thread. */
export const x86Stubs: StubMachine = {
  syscall: Uint8Array.from(SYSCALL),
  jumpBytes: JUMP_BYTES,
  stepBytes: FAR_JUMP_BYTES,
  isOneInstruction: false,
  doneArguments: { word: 0, results: 1, one: 2 },
  borrowedStub,
};
