import { filterSource } from '../filter-source.js';
import type { Operand } from '../operand.js';
import type { FilterProgram } from '../predicate.js';

/** A function of a filter's source, which reads its operands as evaluate() does. */
export function compiled(program: FilterProgram): (read: (operand: Operand) => unknown) => boolean {
  const operands: Operand[] = [];
  const constants: unknown[] = [];
  const source = filterSource(program, {
    operand: (operand) => `read(operands[${operands.push(operand) - 1}])`,
    constant: (value) => `constants[${constants.push(value) - 1}]`,
  });
  const filter = new Function('read', 'operands', 'constants', `"use strict"; return ${source};`);
  return (read) => filter(read, operands, constants);
}
