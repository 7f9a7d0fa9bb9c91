import type { PortableAssembler } from '../machine/assembler.js';
import type { Machine } from '../machine/machine.js';
import { ARG2, ARG3, Label, mem, SCRATCH1, VALUE } from '../machine/operands.js';
import type { NativeSite } from '../text/site.js';
import { KLP } from './klp-state.js';

const WORD = 4;

/** What the site of a replaced function leads to. */
export interface LivepatchHandler {
  readonly machine: Machine;
  readonly site: Pick<NativeSite, 'body'>;
  /** The address of the function that replaces it. */
  readonly replacement: number;
  /** The address of the patch's word. */
  readonly state: number;
  /** Bytes from the thread pointer to the thread's id, if the C library keeps that. */
  readonly tidOffset: number | undefined;
}

/**
 * Builds what chooses between a function and its replacement at each call (klp_ftrace_handler). All registers are kept but the
 * flags, which mean nothing at a function's entry, and on arm64 those of the linker's stubs.
 */
export function buildLivepatchHandler(
  address: number,
  { machine, site, replacement, state, tidOffset }: LivepatchHandler,
): Uint8Array {
  const code = machine.assembler(address);
  const [replaced, own, listed] = [new Label(), new Label(), new Label()];
  code.push(VALUE);
  code.movImmediate(VALUE, state);
  code.mov(VALUE, mem(VALUE));
  code.cmp(VALUE, KLP.PATCHED);
  code.jump('a', listed);
  code.pop(VALUE);
  code.jump('b', own);
  code.bind(replaced);
  code.jumpFar(replacement);
  code.bind(own);
  code.append(site.body(code.here));

  code.bind(listed);
  code.push(ARG3);
  code.push(ARG2);
  code.mov(ARG2, VALUE);
  emitThreadId(code, tidOffset);
  code.mov(VALUE, mem(ARG2), 32);
  const found = new Label();
  const next = code.label();
  code.add(ARG2, WORD);
  code.cmp(mem(ARG2), ARG3, 32);
  code.jump('e', found);
  code.cmp(mem(ARG2), 0, 32);
  code.jump('ne', next);
  // The other state, as far as it is 0 or not.
  code.sub(VALUE, KLP.PATCHED, 32);
  code.bind(found);
  code.test(VALUE, VALUE, 32);
  code.pop(ARG2);
  code.pop(ARG3);
  code.pop(VALUE);
  code.jump('e', own);
  code.jmp(replaced);
  return code.finish();
}

/** ARG3 becomes the thread's id. VALUE is lost. */
function emitThreadId(code: PortableAssembler, tidOffset: number | undefined): void {
  if (tidOffset !== undefined) {
    code.threadWord(ARG3, tidOffset);
    return;
  }
  code.push(SCRATCH1);
  code.systemCall('gettid');
  code.pop(SCRATCH1);
  code.mov(ARG3, VALUE, 32);
}
