import { FIELD, type HistField, has } from './hist-data.js';

/** The modifiers as a listing shows them; of several the first in this order. */
const MODIFIERS: readonly (readonly [flag: number, text: string])[] = [
  [FIELD.HEX, 'hex'],
  [FIELD.SYM, 'sym'],
  [FIELD.SYM_OFFSET, 'sym-offset'],
  [FIELD.EXECNAME, 'execname'],
  [FIELD.SYSCALL, 'syscall'],
  [FIELD.LOG2, 'log2'],
  [FIELD.BUCKET, 'buckets'],
  [FIELD.TIMESTAMP_USECS, 'usecs'],
  [FIELD.PERCENT, 'percent'],
  [FIELD.GRAPH, 'graph'],
];

/** A field's name in a listing and in the table (hist_field_name). */
export function fieldName(field: HistField, level = 0): string {
  if (level > 1) return '';
  if (field.field !== undefined) return field.field.name;
  if (has(field, FIELD.CPU) && field.name !== undefined) return field.name;
  if (has(field, FIELD.LOG2 | FIELD.ALIAS | FIELD.BUCKET)) return fieldName(field.operands[0]!, level + 1);
  if (has(field, FIELD.CPU)) return 'common_cpu';
  if (has(field, FIELD.EXPR | FIELD.VAR_REF)) {
    const name = field.name ?? '';
    return field.system === undefined ? name : `${field.system}.${field.eventName}.${name}`;
  }
  if (has(field, FIELD.TIMESTAMP)) return 'common_timestamp';
  return has(field, FIELD.HITCOUNT) ? 'hitcount' : '';
}

const modifierOf = (field: HistField): string => {
  const [, text] = MODIFIERS.find(([flag]) => has(field, flag)) ?? [];
  return text === undefined ? '' : `.${text}`;
};

function operandText(field: HistField): string {
  if (has(field, FIELD.VAR_REF)) return `$${fieldName(field)}`;
  return (has(field, FIELD.CONST) ? String(field.constant) : '') + fieldName(field) + modifierOf(field);
}

/** The text of an expression (expr_str); undefined where it is nested too deep to have one. */
export function expressionText(field: HistField, level = 0): string | undefined {
  if (level > 1) return undefined;
  const [left, right] = field.operands;
  if (left === undefined) return operandText(field);
  if (field.operator === 'minus') {
    const inner = expressionText(left, level + 1);
    return inner === undefined ? undefined : `-(${inner})`;
  }
  return field.operator === undefined ? undefined : operandText(left) + field.operator + operandText(right!);
}

/** A field as the listing of its trigger shows it (hist_field_print). */
export function listedField(field: HistField): string {
  const assigned = field.varName === undefined ? '' : `${field.varName}=`;
  const buckets = field.buckets === 0n ? '' : `=${field.buckets}`;
  const modifier = has(field, FIELD.VAR_REF | FIELD.EXPR) ? '' : modifierOf(field);
  return assigned + listedName(field) + modifier + buckets;
}

function listedName(field: HistField): string {
  if (has(field, FIELD.CPU)) return 'common_cpu';
  if (has(field, FIELD.CONST)) return String(field.constant);
  return (has(field, FIELD.VAR_REF | FIELD.ALIAS) ? '$' : '') + fieldName(field);
}

/** What a reference's variable was set to. */
export const variableOf = ({ owner, varIndex }: HistField): HistField | undefined =>
  owner.fieldVariables.find(({ variable }) => variable.varIndex === varIndex)?.value ??
  owner.values.find((field) => has(field, FIELD.VAR) && field.varIndex === varIndex);

/** Whether a value is a text; the flag of texts is not handed on to references (init_var_ref). */
export function isText(field: HistField): boolean {
  if (has(field, FIELD.STRING)) return true;
  const source = has(field, FIELD.VAR_REF) ? variableOf(field) : has(field, FIELD.ALIAS) ? field.operands[0] : undefined;
  return source !== undefined && isText(source);
}

/** Whether a field is, or is made of, a variable or a reference to one (field_has_hist_vars). */
export const usesVariables = (field: HistField, level = 0): boolean =>
  level <= 3 && (has(field, FIELD.VAR | FIELD.VAR_REF) || field.operands.some((operand) => usesVariables(operand, level + 1)));
