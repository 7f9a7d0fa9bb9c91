import type { Machine } from '../machine/machine.js';
import { BLOCK, FRAME, SHARED } from './arena.js';
import { DwarfExpression, ExpressionLabel, uleb } from './dwarf-expression.js';

/** Numbers of DWARF's call frame instructions. */
const DW_CFA = { nop: 0, def_cfa: 0x0c, val_expression: 0x16 } as const;
const WORD = 8;
/** What an address has of a signed one. */
const ADDRESS_MASK = 2 ** 48 - 1;
/** What follows says how long it is; the frame is that of a signal. */
const AUGMENTATION = [...Buffer.from('zS'), 0];

/** What a table is about. */
export interface UnwindOptions {
  readonly machine: Machine;
  /** The addresses of the arena, and of the memory for thunks. */
  readonly arena: number;
  readonly start: number;
  readonly bytes: number;
}

/**
 * Builds the table by which exceptions pass through calls that function_graph follows: an `.eh_frame` section for
 * `__register_frame` of the process's libgcc. It says of every address of the thunks: the caller's address is in the shadow
 * stack, at the frame whose place is that of the return address. A call that is not there ends the stack.
 *
 * The thunk takes no room on the stack, so its canonical frame address is that of the function that it follows. libgcc tells
 * frames apart by that address and by whether a signal has interrupted them. Hence thunks are called frames of signals. The
 * address at which such a frame has interrupted the one before it is that of an instruction, not that behind a call: so it is one
 * byte lower here, in the midst of the call. Not below a signal handler: what that returns to has no table on some machines, and
 * libgcc looks at the instructions there.
 *
 * The bytes do not depend on where they are; they must stay where they are registered.
 */
export function unwindTable({ machine, arena, start, bytes }: UnwindOptions): Uint8Array {
  const registers = machine.dwarf;
  // Version 1; code in bytes, data in words of -8 (SLEB128 0x78); nothing more.
  const common = [1, ...AUGMENTATION, 1, 0x78, registers.returnAddress, 0];
  const instructions = [
    ...[DW_CFA.def_cfa, registers.stackPointer, 0],
    ...rule(registers.returnAddress, interruptedAddress(arena, machine)),
  ];
  const description = [...address(start), ...address(bytes), 0, ...instructions];
  const cie = entry(0, common);
  // The distance from this field back to the common part.
  const fde = entry(cie.length + 4, description);
  return Uint8Array.from([...cie, ...fde, 0, 0, 0, 0]);
}

const rule = (register: number, expression: DwarfExpression): number[] => [DW_CFA.val_expression, register, ...block(expression)];

function block(expression: DwarfExpression): number[] {
  const bytes = expression.finish();
  return [...uleb(bytes.length), ...bytes];
}

/** A length, an id, and what follows; up to a multiple of a word. */
function entry(id: number, content: readonly number[]): number[] {
  const length = Math.ceil((4 + 4 + content.length) / WORD) * WORD - 4;
  const padding = length - 4 - content.length;
  return [...word(length), ...word(id), ...content, ...Array<number>(padding).fill(DW_CFA.nop)];
}

const word = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, (value >>> 24) & 0xff];

function address(value: number): number[] {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return [...bytes];
}

/** Where the caller goes on, as one that a signal has interrupted; 0: nowhere. */
function interruptedAddress(arena: number, machine: Machine): DwarfExpression {
  const [inside, end] = [new ExpressionLabel(), new ExpressionLabel()];
  // The first entry stays unused: libgcc cannot pick the lowest one.
  const code = pushReturnAddress(new DwarfExpression().constant(0), arena, machine);
  const orInside = (): void => {
    const next = new ExpressionLabel();
    code.jump('branch', next).jump('skip', inside);
    code.label(next);
  };
  const some = new ExpressionLabel();
  code.op('dup').jump('branch', some).jump('skip', end);
  code.label(some);
  for (const [i, word] of machine.dwarf.signalReturn.entries()) {
    code
      .op('dup')
      .add(4 * i)
      .read(4)
      .constant(word)
      .op('eq');
    orInside();
  }
  code.jump('skip', end);
  code.label(inside);
  code.constant(1).op('minus');
  code.label(end);
  return code;
}

/**
 * Looks up the return address of the call whose exit is in the column of the return address, by the stack pointer, and pushes it;
 * 0 if there is none. That column is where the frame that was unwound last had to return to; it may be signed. The address may be
 * the exit of another call, whose function has jumped to this one: that call has the same place and stands before it. Or the host
 * has given the return address back since the unwinder has read the exit.
 */
function pushReturnAddress(code: DwarfExpression, arena: number, { hasLinkRegister, dwarf }: Machine): DwarfExpression {
  const [hasBlock, isPlace, isExit, isReturn, bottom, end] = Array.from({ length: 6 }, () => new ExpressionLabel());
  // On the stack: the place, the block, the exit, what was found or 0. Then the frame behind the last one.
  code.register(dwarf.stackPointer).constant(WORD).op('minus');
  code.constant(arena + SHARED.CHAIN).op('deref');
  code.register(dwarf.returnAddress);
  if (hasLinkRegister) code.constant(ADDRESS_MASK).op('and');
  const block = code.label();
  code.constant(0).pick(2).jump('branch', hasBlock!).jump('skip', end!);
  code.label(hasBlock);
  code.pick(2).op('dup').add(BLOCK.TOP).op('deref').add(BLOCK.FRAMES).op('plus');
  const frame = code.label();
  code.op('dup').pick(4).add(BLOCK.FRAMES).op('eq').jump('branch', bottom!);
  code.constant(FRAME.BYTES).op('minus');
  code.op('dup').add(FRAME.SLOT).op('deref').pick(5).op('eq').jump('branch', isPlace!).jump('skip', frame);
  code.label(isPlace);
  code.op('dup').add(FRAME.EXIT).op('deref').pick(3).op('eq').jump('branch', isExit!);
  code.op('dup').add(FRAME.RETURN).op('deref').pick(3).op('eq').jump('branch', isReturn!).jump('skip', frame);
  // Its return address takes the place of the exit and of what was found: the frames before are looked at for that.
  code.label(isExit);
  code.op('dup').add(FRAME.RETURN).op('deref', 'rot', 'swap', 'drop', 'rot', 'rot', 'drop', 'over', 'swap').jump('skip', frame);
  code.label(isReturn);
  code.op('swap', 'drop', 'over', 'swap').jump('skip', frame);
  code.label(bottom);
  code.op('drop', 'dup').jump('branch', end!);
  code.op('drop', 'swap').add(BLOCK.NEXT).op('deref', 'swap').jump('skip', block);
  code.label(end);
  return code;
}
