import type { TraceEvent } from '../../events/define.js';
import type { Immediate, PortableAssembler } from '../machine/assembler.js';
import { ARG1, ARG4, isRegister, type MachineOperand, mem, type Register, VALUE } from '../machine/operands.js';
import { BLOCK } from './arena.js';

/** Where a field's value is. */
export type FieldSource = Register | MachineOperand | Immediate;

/** Words of an event's record without what is dynamic. */
export const recordWords = (event: TraceEvent): number => Math.ceil(event.end / 4);

/**
 * Writes a record whose payload begins at ARG4: the header with the thread's id of the block in ARG1, and the fields by their
 * names, in their places of the event's definition. VALUE is lost.
 */
export function emitRecord<E extends TraceEvent>(
  code: PortableAssembler,
  event: E,
  values: { readonly [Name in keyof E['specs']]: FieldSource },
): void {
  code.mov(mem(ARG4), event.id, 32);
  code.mov(VALUE, mem(ARG1, BLOCK.TID), 32);
  code.mov(mem(ARG4, 4), VALUE, 32);
  for (const [name, source] of Object.entries<FieldSource>(values)) {
    const { offset, size } = event.fields[name]!;
    if (size !== 4 && size !== 8) throw new Error(`${event.name}: a field of ${size} bytes`);
    const bits = size === 8 ? 64 : 32;
    if (typeof source === 'number' || isRegister(source)) code.mov(mem(ARG4, offset), source, bits);
    else {
      code.mov(VALUE, source, bits);
      code.mov(mem(ARG4, offset), VALUE, bits);
    }
  }
}
