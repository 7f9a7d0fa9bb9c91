import type { ScriptExpression } from '../program.js';
import { type BpfType, NONE } from './bpf-type.js';

/** A checked expression. */
export interface Typed {
  readonly type: BpfType;
  readonly code: ScriptExpression;
}

export const longOf = (value: bigint | number): ScriptExpression => ({ op: 'long', value: BigInt(value) });
export const textOf = (value: string): ScriptExpression => ({ op: 'string', value });

/** What stands for an expression that was refused, or whose type is not known yet. */
export const UNKNOWN: Typed = { type: NONE, code: longOf(0) };

/** The code as an integer; that of what cannot be one stays: it was refused. */
export const toLong = ({ type, code }: Typed): ScriptExpression => (type.kind === 'value' ? { op: 'to long', of: code } : code);

/** The code as a text. */
export const toText = ({ type, code }: Typed): ScriptExpression =>
  type.kind === 'value' || type.kind === 'stack' || type.kind === 'integer' ? { op: 'to string', of: code } : code;

/** Whether it counts as true, as an integer; undefined: it has no truth. */
export function truthOf({ type, code }: Typed): ScriptExpression | undefined {
  if (type.kind === 'integer') return code;
  if (type.kind === 'value') return { op: '!', of: { op: '!', of: code } };
  if (type.kind !== 'string' || type.isPointer !== true) return undefined;
  return { op: 'compare', operator: '!=', of: 'string', left: code, right: textOf('') };
}
