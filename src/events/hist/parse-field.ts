import { attempt } from '../../base/attempt.js';
import { kstrtoul } from '../../base/kstrto.js';
import { FIELD, type HistData, type HistField, has, newField, TEXT_BYTES } from './hist-data.js';
import { refused } from './hist-errors.js';
import { findField, type HistEventField } from './hist-event.js';
import { hasOperator } from './operators.js';
import { createReference, findEventVariable, isOwnEvent, referTo } from './variables.js';

/** What is to be parsed. */
export interface ParseField {
  readonly data: HistData;
  readonly text: string;
  /** What it is for: KEY, VAR or 0. */
  readonly flags: number;
  /** The name of the variable that it defines. */
  readonly varName: string | undefined;
}

/** A field with its modifier. */
interface ModifiedField {
  readonly field: HistEventField | undefined;
  /** The word for the cpu where it was not `common_cpu`. */
  readonly cpuName?: string;
  readonly flags: number;
  readonly buckets: bigint;
}

const MODIFIERS: Readonly<Record<string, number>> = {
  hex: FIELD.HEX,
  sym: FIELD.SYM,
  symXoffset: FIELD.SYM_OFFSET,
  syscall: FIELD.SYSCALL,
  log2: FIELD.LOG2,
  usecs: FIELD.TIMESTAMP_USECS,
};

/** A modifier's flag; undefined where it is not allowed. `flags` are those of what the field is for. */
function modifierFlag(modifier: string, name: string, flags: number): number | undefined {
  if (Object.hasOwn(MODIFIERS, modifier)) return MODIFIERS[modifier];
  if (modifier === 'execname') return name === 'common_pid' ? FIELD.EXECNAME : undefined;
  if (modifier.startsWith('bucket')) return FIELD.BUCKET;
  if ((flags & (FIELD.VAR | FIELD.KEY)) !== 0) return undefined;
  if (modifier.startsWith('percent')) return FIELD.PERCENT;
  return modifier.startsWith('graph') ? FIELD.GRAPH : undefined;
}

/** The size of `buckets=SIZE`; `rest` is what the kernel's parser has left when it refuses. */
function bucketSize(modifier: string): { readonly size: bigint } | { readonly rest: string } {
  const rest = modifier.slice('bucket'.length).replace(/^s/, '');
  if (!rest.startsWith('=')) return { rest };
  const size = attempt(() => kstrtoul(rest.slice(1))) ?? 0n;
  return size === 0n ? { rest: rest.slice(1) } : { size };
}

/** parse_field: `name` or `name.modifier`. */
function parseModified({ data, text, flags }: ParseField): ModifiedField {
  const dot = text.indexOf('.');
  const name = dot < 0 ? text : text.slice(0, dot);
  let all = flags;
  let buckets = 0n;
  if (dot >= 0) {
    const modifier = text.slice(dot + 1);
    const flag = modifierFlag(modifier, name, flags) ?? data.errors.refuse('BAD_FIELD_MODIFIER', modifier);
    if (flag === FIELD.BUCKET) {
      const parsed = bucketSize(modifier);
      if ('rest' in parsed) return data.errors.refuse('BAD_FIELD_MODIFIER', parsed.rest);
      buckets = parsed.size;
    }
    all |= flag;
  }
  if (name === 'common_timestamp') {
    data.usesTimestamps = true;
    if ((all & FIELD.TIMESTAMP_USECS) !== 0) data.inMicroseconds = true;
    return { field: undefined, flags: all | FIELD.TIMESTAMP, buckets };
  }
  // Of Linux 6.3: the share that an entry has in all hits.
  const isValue = (flags & (FIELD.VAR | FIELD.KEY)) === 0;
  if (name === 'hitcount' && isValue && (all & (FIELD.PERCENT | FIELD.GRAPH)) !== 0) {
    return { field: undefined, flags: all | FIELD.HITCOUNT, buckets };
  }
  if (name === 'common_cpu') return { field: undefined, flags: all | FIELD.CPU, buckets };
  const field = findField(data.event, name) ?? data.errors.refuse('FIELD_NOT_FOUND', name);
  if (field === 'cpu') return { field: undefined, cpuName: name, flags: all | FIELD.CPU, buckets };
  return { field, flags: all, buckets };
}

const NUMBER_SIZES: readonly number[] = [1, 2, 4, 8];

/** Sizes and types of what is not a field of the event, by flag. */
const OTHERS: readonly (readonly [flag: number, size: number, type: string])[] = [
  [FIELD.HITCOUNT, 8, 'u64'],
  [FIELD.TIMESTAMP, 8, 'u64'],
  [FIELD.CPU, 4, 'unsigned int'],
];

/**
 * create_hist_field. @throws TraceError ENOMEM for a field that is neither a number nor a text, which is what the kernel answers
 */
export function createField(data: HistData, flags: number, field?: HistEventField, varName?: string): HistField {
  const result = newField(data, flags, varName);
  result.field = field;
  if ((flags & FIELD.STACKTRACE) !== 0) return result;
  if ((flags & (FIELD.LOG2 | FIELD.BUCKET)) !== 0) {
    const operand = createField(data, flags & ~(FIELD.LOG2 | FIELD.BUCKET), field);
    result.operands = [operand];
    result.size = operand.size;
    result.type = operand.type;
    return result;
  }
  const [, size, type] = OTHERS.find(([flag]) => (flags & flag) !== 0) ?? [];
  if (size !== undefined) {
    result.size = size;
    result.type = type;
    return result;
  }
  const { text, ...described } = field!;
  result.type = described.type;
  if (text !== undefined && text !== 'pointer') {
    result.flags |= FIELD.STRING;
    result.size = text === 'fixed' ? described.size : TEXT_BYTES;
    return result;
  }
  if (!NUMBER_SIZES.includes(described.size)) refused('ENOMEM', `${described.name} is neither a number nor a text`);
  result.size = described.size;
  result.isSigned = described.isSigned;
  return result;
}

const isReference = (text: string): boolean => text.length >= 2 && text.startsWith('$');

/** What a variable of the trigger itself stands for, if that is a field (local_field_var_ref). */
function localDefinition(data: HistData, text: string, system?: string, eventName?: string): string | undefined {
  if (!isOwnEvent(data, system, eventName) || !isReference(text)) return undefined;
  return data.definitions.find(({ name, text: value }) => `$${name}` === text && !hasOperator(value) && !isReference(value))
    ?.text;
}

/** The reference that a text is (parse_var_ref); undefined, after a note, for one that refers to nothing. */
function parseReference(data: HistData, text: string, system?: string, eventName?: string): HistField | undefined {
  if (!isReference(text)) return undefined;
  const name = text.slice(1);
  const variable = findEventVariable(data, name, system, eventName);
  const reference = variable && createReference(data, variable, system, eventName);
  if (reference === undefined) data.errors.note('VAR_NOT_FOUND', name);
  return reference;
}

/** A variable that takes the value of another (create_alias). */
function createAlias(data: HistData, reference: HistField, varName: string): HistField {
  const alias = newField(data, FIELD.ALIAS | FIELD.VAR, varName);
  alias.operands = [reference];
  referTo(alias, reference, reference.system, reference.eventName);
  return alias;
}

/** A number as an operand. */
function parseConstant({ data, text, flags, varName }: ParseField): HistField {
  const field = newField(data, flags | FIELD.CONST, varName);
  field.constant = attempt(() => kstrtoul(text)) ?? data.errors.refuse('EXPECT_NUMBER', text);
  field.size = 8;
  field.type = 'u64';
  return field;
}

/** An operand (parse_atom): a number, a reference (`$x`, `sys.event.$x`), a field. */
export function createAtom(wanted: ParseField): HistField {
  const { data, varName } = wanted;
  if (/^[0-9]/.test(wanted.text)) return parseConstant(wanted);
  const parts = wanted.text.split('.');
  const [system, eventName] = parts.length > 2 ? parts : [];
  const text = parts.length > 2 ? parts.slice(2).join('.') : wanted.text;
  const local = localDefinition(data, text, system, eventName);
  if (local === undefined) {
    const reference = parseReference(data, text, system, eventName);
    if (reference !== undefined) return varName === undefined ? reference : createAlias(data, reference, varName);
  }
  const { field, cpuName, flags, buckets } = parseModified({ ...wanted, text: local ?? text });
  const result = createField(data, flags, field, varName);
  result.name = cpuName;
  result.buckets = buckets;
  return result;
}

/** A variable of `common_pid.execname` is the text (update_var_execname). */
export function asExecname(field: HistField): void {
  if (!has(field, FIELD.EXECNAME)) return;
  field.flags = FIELD.STRING | FIELD.VAR | FIELD.EXECNAME;
  field.size = TEXT_BYTES;
  field.isSigned = false;
  field.type = 'char[]';
}
