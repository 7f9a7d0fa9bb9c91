/** The registers by x86-64's own names. */
export {
  ARG0 as RDI,
  ARG1 as RSI,
  ARG2 as RDX,
  ARG3 as RCX,
  ARG4 as R8,
  ARG5 as R9,
  FP as RBP,
  KEPT0 as RBX,
  KEPT1 as R12,
  KEPT2 as R13,
  KEPT3 as R14,
  KEPT4 as R15,
  SCRATCH0 as R10,
  SCRATCH1 as R11,
  SP as RSP,
  VALUE as RAX,
} from '../../machine/operands.js';
