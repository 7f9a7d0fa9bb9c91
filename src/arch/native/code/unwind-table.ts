import type { Machine } from '../machine/machine.js';
import { BLOCK, FRAME, SHARED } from './arena.js';
import { DwarfExpression, ExpressionLabel, uleb } from './dwarf-expression.js';

/** Numbers of DWARF's call frame instructions. */
const DW_CFA = { nop: 0, def_cfa: 0x0c, def_cfa_expression: 0x0f, val_expression: 0x16 } as const;
const WORD = 8;
/** What an address has of a signed one. */
const ADDRESS_MASK = 2 ** 48 - 1;

/** See `unwindTable`. */
const CFA_SHIFT = 1;

/** What a table is about. */
export interface UnwindOptions {
  readonly machine: Machine;
  /** The addresses of the arena, and of the memory for thunks. */
  readonly arena: number;
  readonly start: number;
  readonly bytes: number;
}

/**
 * Builds the table by which exceptions pass through calls that function_graph follows: an `.eh_frame` section for `__register_frame` of the
 * process's libgcc. It says of every address of the thunks: the caller's address is in the shadow stack, at the frame whose place is that of the
 * return address. A call that is not there ends the stack.
 *
 * The thunk takes no room on the stack, so its canonical frame address would be that of the function that it follows. libgcc tells frames apart by
 * that address. Hence it is one byte higher here, and the stack pointer has a rule of its own. Not below a signal handler: what it returns to has no table on
 * some machines, and libgcc takes that address for the one of what the kernel has put on the stack.
 *
 * The bytes do not depend on where they are; they must stay where they are registered.
 */
export function unwindTable({ machine, arena, start, bytes }: UnwindOptions): Uint8Array {
  const registers = machine.dwarf;
  // Version 1, no augmentation; code in bytes, data in words of -8 (SLEB128 0x78).
  const common = [1, 0, 1, 0x78, registers.returnAddress];
  const instructions = [
    ...[DW_CFA.def_cfa_expression, ...block(frameAddress(arena, machine))],
    ...rule(registers.stackPointer, new DwarfExpression().register(registers.stackPointer)),
    ...rule(registers.returnAddress, pushReturnAddress(new DwarfExpression(), arena, machine)),
  ];
  const description = [...address(start), ...address(bytes), ...instructions];
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

/** The canonical frame address. */
function frameAddress(arena: number, machine: Machine): DwarfExpression {
  const { stackPointer, signalReturn } = machine.dwarf;
  const [shifted, end] = [new ExpressionLabel(), new ExpressionLabel()];
  // The first entry stays unused: libgcc cannot pick the lowest one.
  const code = pushReturnAddress(new DwarfExpression().register(stackPointer), arena, machine);
  const orShifted = (): void => {
    const next = new ExpressionLabel();
    code.jump('branch', next).jump('skip', shifted);
    code.label(next);
  };
  code.op('dup');
  orShifted();
  for (const [i, word] of signalReturn.entries()) {
    code
      .op('dup')
      .add(4 * i)
      .read(4)
      .constant(word)
      .op('eq');
    orShifted();
  }
  code.register(stackPointer).jump('skip', end);
  code.label(shifted);
  code.register(stackPointer).add(CFA_SHIFT);
  code.label(end);
  return code;
}

/** Looks a return address up by the stack pointer, and pushes it; 0 if there is none. */
function pushReturnAddress(code: DwarfExpression, arena: number, { hasLinkRegister, dwarf }: Machine): DwarfExpression {
  const hasBlock = new ExpressionLabel();
  const nextBlock = new ExpressionLabel();
  const isCall = new ExpressionLabel();
  const found = new ExpressionLabel();
  const end = new ExpressionLabel();
  // The place, and the block.
  code
    .register(dwarf.stackPointer)
    .constant(WORD)
    .op('minus')
    .constant(arena + SHARED.CHAIN)
    .op('deref');
  const block = code.label();
  code.op('dup').jump('branch', hasBlock).jump('skip', end);
  code.label(hasBlock);
  // The frame behind the last one.
  code.op('dup').add(BLOCK.TOP).op('deref').add(BLOCK.FRAMES).op('over', 'plus');
  const frame = code.label();
  code.op('dup').pick(2).add(BLOCK.FRAMES).op('eq').jump('branch', nextBlock);
  code.constant(FRAME.BYTES).op('minus');
  code.op('dup').add(FRAME.SLOT).op('deref').pick(3).op('eq');
  if (hasLinkRegister) {
    const isPlace = new ExpressionLabel();
    code.jump('branch', isPlace).jump('skip', frame);
    code.label(isPlace);
    // What the frame that was unwound last had to return to is the exit; it may be signed. Or the host has given the return address back since the unwinder
    // has read the exit.
    code.register(dwarf.returnAddress).constant(ADDRESS_MASK).op('and');
    code.op('over').add(FRAME.EXIT).op('deref', 'over', 'eq').jump('branch', isCall);
    code.op('over').add(FRAME.RETURN).op('deref', 'over', 'eq').jump('branch', isCall);
    code.op('drop').jump('skip', frame);
    code.label(isCall);
    code.op('drop').jump('skip', found);
  } else code.jump('branch', found).jump('skip', frame);
  code.label(nextBlock);
  code.op('drop').add(BLOCK.NEXT).op('deref').jump('skip', block);
  code.label(found);
  code.add(FRAME.RETURN).op('deref');
  code.label(end);
  return code;
}
