import { longBytes } from '../machine/long-bytes.js';
import { at, fs, Label, mem } from '../machine/operands.js';
import type { NativeSite } from '../text/site.js';
import { Assembler } from '../x86-64/assembler.js';
import { R11, RAX, RCX, RDX } from '../x86-64/registers.js';
import { KLP } from './klp-state.js';

const GETTID = 186;
const WORD = 4;

/** What the site of a replaced function leads to. */
export interface LivepatchHandler {
  readonly site: Pick<NativeSite, 'body'>;
  /** The address of the function that replaces it. */
  readonly replacement: number;
  /** The address of the patch's word. */
  readonly state: number;
  /** Bytes from the thread pointer to the thread's id, if the C library keeps that. */
  readonly tidOffset: number | undefined;
}

/**
 * Builds what chooses between a function and its replacement at each call (klp_ftrace_handler). All registers are kept but the flags, which mean
 * nothing at a function's entry.
 */
export function buildLivepatchHandler(address: number, { site, replacement, state, tidOffset }: LivepatchHandler): Uint8Array {
  const code = new Assembler(address);
  const [replaced, own, listed, target] = Array.from({ length: 4 }, () => new Label());
  code.push(RAX);
  code.movImmediate(RAX, state);
  code.mov(RAX, mem(RAX));
  code.cmp(RAX, KLP.PATCHED);
  code.jump('a', listed!);
  code.pop(RAX);
  code.jump('b', own!);
  code.bind(replaced!);
  code.jmp(at(target!));
  code.bind(target!);
  code.append(longBytes(replacement));
  code.bind(own!);
  code.append(site.body(code.here));

  code.bind(listed!);
  code.push(RCX);
  code.push(RDX);
  code.mov(RDX, RAX);
  emitThreadId(code, tidOffset);
  code.mov(RAX, mem(RDX), 32);
  const found = new Label();
  const next = code.label();
  code.add(RDX, WORD);
  code.cmp(mem(RDX), RCX, 32);
  code.jump('e', found);
  code.cmp(mem(RDX), 0, 32);
  code.jump('ne', next);
  code.xor(RAX, KLP.PATCHED, 32);
  code.bind(found);
  code.test(RAX, RAX, 32);
  code.pop(RDX);
  code.pop(RCX);
  code.pop(RAX);
  code.jump('e', own!);
  code.jmp(replaced!);
  return code.finish();
}

/** ecx becomes the thread's id. rax is lost. */
function emitThreadId(code: Assembler, tidOffset: number | undefined): void {
  if (tidOffset !== undefined) {
    code.mov(RCX, fs(tidOffset), 32);
    return;
  }
  code.push(R11);
  code.movImmediate(RAX, GETTID);
  code.syscall();
  code.pop(R11);
  code.mov(RCX, RAX, 32);
}
