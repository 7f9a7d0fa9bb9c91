import type { ScriptType, StoredType } from '../script-type.js';

/** Functions whose results stay in a map, and only there. */
export const AGGREGATES = ['count', 'sum', 'min', 'max', 'avg', 'stats', 'hist', 'lhist'] as const;
export type AggregateName = (typeof AGGREGATES)[number];

/** A type as bpftrace has it, and `value`: what a variable of the program holds, an integer or a text. */
export type BpfType =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'integer';
      readonly size: 1 | 2 | 4 | 8;
      readonly isSigned: boolean;
      /** Whether this was a `value`: signs are not warned of, and a division keeps its sign. */
      readonly wasValue?: boolean;
    }
  /** `size` with the zero at its end. `isPointer`: a field of an event, which the kernel has as an address: str() takes it. */
  | { readonly kind: 'string'; readonly size: number; readonly isPointer?: boolean }
  | { readonly kind: 'value' }
  | { readonly kind: 'stack'; readonly name: 'kstack' | 'ustack' }
  /** A text that bpftrace makes when it prints. */
  | { readonly kind: 'text'; readonly name: 'ksym' | 'usym' | 'probe' | 'timestamp' | 'strerror' | 'buffer' | 'inet' }
  | { readonly kind: 'tuple'; readonly elements: readonly BpfType[] }
  | { readonly kind: 'aggregate'; readonly name: AggregateName };

export const NONE: BpfType = { kind: 'none' };
export const VALUE: BpfType = { kind: 'value' };
export const INT64: BpfType = { kind: 'integer', size: 8, isSigned: true };
export const UINT64: BpfType = { kind: 'integer', size: 8, isSigned: false };
export const FREE_INT64: BpfType = { kind: 'integer', size: 8, isSigned: true, wasValue: true };

/** A type as messages name it: `unsigned int64`, `string[16]`. */
export function typeName(type: BpfType): string {
  if (type.kind === 'integer') return `${type.isSigned ? '' : 'unsigned '}int${type.size * 8}`;
  if (type.kind === 'string') return `string[${type.size}]`;
  if (type.kind === 'tuple') return `(${type.elements.map(typeName).join(',')})`;
  if ('name' in type) return type.name;
  return type.kind;
}

/** The kind alone, as some messages name it. */
export const kindName = (type: BpfType): string =>
  type.kind === 'string' || type.kind === 'integer' || type.kind === 'tuple' ? type.kind : typeName(type);

/** Whether a type is shown by `%s`. */
export const isText = ({ kind }: BpfType): boolean => kind === 'string' || kind === 'text' || kind === 'stack';

/** What the program keeps of a type. */
export function storedAs(type: BpfType): StoredType {
  if (type.kind === 'integer') return 'long';
  if (type.kind === 'value' || type.kind === 'stack') return type.kind;
  if (type.kind === 'tuple') return { tuple: type.elements.map(storedAs) };
  return 'string';
}

export const typeOfGlobal = (type: BpfType): ScriptType => (type.kind === 'aggregate' ? 'stats' : storedAs(type));

/** The type of what holds both; undefined: nothing does. */
export function unify(a: BpfType, b: BpfType): BpfType | undefined {
  if (a.kind === 'value' || b.kind === 'value') {
    const other = a.kind === 'value' ? b : a;
    return ['value', 'integer', 'string'].includes(other.kind) ? VALUE : undefined;
  }
  if (a.kind === 'integer' && b.kind === 'integer') return a;
  if (a.kind === 'string' && b.kind === 'string') return b.size > a.size ? b : a;
  if (a.kind === 'tuple' && b.kind === 'tuple') return unifyTuples(a.elements, b.elements);
  return a.kind === b.kind && typeName(a) === typeName(b) ? a : undefined;
}

function unifyTuples(a: readonly BpfType[], b: readonly BpfType[]): BpfType | undefined {
  if (a.length !== b.length) return undefined;
  const elements = a.map((type, i) => unify(type, b[i]!));
  return elements.every((type) => type !== undefined) ? { kind: 'tuple', elements } : undefined;
}

/** Whether two types are the same for the code that is made. */
export const isSame = (a: BpfType, b: BpfType): boolean =>
  typeName(a) === typeName(b) && ('isPointer' in a && a.isPointer) === ('isPointer' in b && b.isPointer);

/** Bytes of a value of a type, as sizeof() has them. */
export function sizeOf(type: BpfType): number {
  if (type.kind === 'integer' || type.kind === 'string') return type.size;
  if (type.kind === 'tuple') return type.elements.reduce((sum, element) => sum + sizeOf(element), 0);
  return 8;
}
