import type { DebugEntry } from './debug-entry.js';
import { AT, TAG } from './names.js';

/** Qualifiers and other names of a type. */
const TRANSPARENT: readonly number[] = [TAG.typedef, TAG.constant, TAG.volatile, TAG.restrict, TAG.atomic];
const REFERENCES: readonly number[] = [TAG.reference, TAG.rvalueReference];
const AGGREGATES: readonly number[] = [TAG.structure, TAG.class, TAG.union];
/** A chain of names that is longer is one of a damaged file. */
const MOST_NAMES = 64;

/** DW_ATE: how bits of a base type are read. */
const ENCODING = { float: 4, signed: 5, signedChar: 6 } as const;
const COMPLEX_FLOAT = 3;

/** The type behind typedefs and qualifiers; undefined is `void`. */
export function plainType(type: DebugEntry | undefined): DebugEntry | undefined {
  let found = type;
  for (let i = 0; i < MOST_NAMES && found !== undefined && TRANSPARENT.includes(found.tag); i++) found = found.type;
  return found;
}

export const isAggregate = (type: DebugEntry | undefined): boolean => type !== undefined && AGGREGATES.includes(type.tag);
export const isReference = (type: DebugEntry | undefined): boolean => type !== undefined && REFERENCES.includes(type.tag);
export const isPointer = (type: DebugEntry | undefined): boolean => type?.tag === TAG.pointer || isReference(type);
export const isArray = (type: DebugEntry | undefined): boolean => type?.tag === TAG.array;
export const isFloat = (type: DebugEntry | undefined): boolean => {
  const encoding = type?.tag === TAG.baseType ? type.number(AT.encoding) : undefined;
  return encoding === ENCODING.float || encoding === COMPLEX_FLOAT;
};

export const isComplex = (type: DebugEntry | undefined): boolean =>
  type?.tag === TAG.baseType && type.number(AT.encoding) === COMPLEX_FLOAT;

/** Whether an integer or an enumeration has a sign. */
export function isSigned(type: DebugEntry | undefined): boolean {
  const base = type?.tag === TAG.enumeration ? plainType(type.type) : type;
  // An enumeration of C has the sign that its values need, which only its underlying type says.
  const encoding = base?.number(AT.encoding);
  return encoding === ENCODING.signed || encoding === ENCODING.signedChar;
}

export const isChar = (type: DebugEntry | undefined): boolean =>
  type?.tag === TAG.baseType && /\bchar\b/.test(type.name ?? '') && sizeOf(type) === 1;

/** The elements of an array; undefined: nothing says how many. */
export function countOf(array: DebugEntry): number | undefined {
  const ranges = array.children.filter(({ tag }) => tag === TAG.subrange);
  const [range] = ranges;
  if (range === undefined || ranges.length > 1) return undefined;
  const count = range.number(AT.count);
  const last = range.number(AT.upperBound);
  return count ?? (last === undefined ? undefined : last + 1);
}

/** Bytes of a type; 0: not known. */
export function sizeOf(type: DebugEntry | undefined): number {
  const plain = plainType(type);
  if (plain === undefined) return 0;
  const size = plain.number(AT.byteSize);
  if (size !== undefined) return size;
  if (isPointer(plain)) return 8;
  return isArray(plain)
    ? sizeOf(plain.type) * (countOf(plain) ?? 0)
    : sizeOf(plain.tag === TAG.enumeration ? plain.type : undefined);
}

/**
 * A member of a structure: how far from its start, and which bits of that, from the lowest; or why it is not found there, as the
 * end of a sentence.
 */
export interface Member {
  readonly type: DebugEntry | undefined;
  readonly offset: number;
  readonly bits?: { readonly width: number; readonly offset: number };
  readonly absent?: string;
}

const STATIC = 'is one for the whole class: name it with that, CLASS.MEMBER';
const VIRTUAL = 'is in a virtual base class, whose place only the object knows';

/** The member of a name, also of one without a name, and of a class that it is derived from; undefined: there is none. */
export function memberOf(aggregate: DebugEntry, name: string): Member | undefined {
  for (const child of aggregate.children) {
    const isBase = child.tag === TAG.inheritance;
    // Since DWARF 5 a static member is a variable.
    if (child.tag !== TAG.member && !isBase && !(child.tag === TAG.variable && child.name === name)) continue;
    const offset = child.number(AT.memberLocation) ?? 0;
    if (!isBase && child.name === name)
      return isStatic(child) ? { type: child.type, offset, absent: STATIC } : { type: child.type, ...bitsOf(child, offset) };
    const inner = plainType(child.type);
    const isOuter = isBase || child.name === undefined;
    const found = isOuter && inner !== undefined && isAggregate(inner) ? memberOf(inner, name) : undefined;
    if (found === undefined) continue;
    const isVirtual = child.value(AT.memberLocation)?.kind === 'block';
    return { ...found, offset: offset + found.offset, ...(isVirtual && { absent: VIRTUAL }) };
  }
  return undefined;
}

/** Whether a member is the class's, not each object's: it has no place in them. */
const isStatic = (member: DebugEntry): boolean =>
  member.tag === TAG.variable || (member.has(AT.declarationOnly) && !member.has(AT.memberLocation));

/** Since DWARF 4 a bit field says which bit of the structure is its first; before, which of its word, from the highest. */
function bitsOf(member: DebugEntry, offset: number): Omit<Member, 'type'> {
  const width = member.number(AT.bitSize);
  if (width === undefined) return { offset };
  const size = member.number(AT.byteSize) ?? sizeOf(member.type);
  const before = member.number(AT.bitOffset);
  const first = before === undefined ? (member.number(AT.dataBitOffset) ?? 8 * offset) : 8 * (offset + size) - before - width;
  const start = Math.floor(first / (8 * size)) * size;
  return { offset: start, bits: { width, offset: first - 8 * start } };
}

/** Names of the members, for messages. */
export const memberNames = (aggregate: DebugEntry): readonly string[] =>
  aggregate.children.flatMap(({ tag, name }) => (tag === TAG.member && name !== undefined ? [name] : []));

const KEYWORDS: Readonly<Record<number, string>> = {
  [TAG.structure]: 'struct ',
  [TAG.union]: 'union ',
  [TAG.enumeration]: 'enum ',
  [TAG.constant]: 'const ',
  [TAG.volatile]: 'volatile ',
};
const QUALIFIERS: readonly number[] = [TAG.constant, TAG.volatile];
const MARKS: Readonly<Record<number, string>> = { [TAG.pointer]: '*', [TAG.reference]: '&', [TAG.rvalueReference]: '&&' };

/** A type as C writes it. */
export function typeName(type: DebugEntry | undefined, depth = 0): string {
  if (type === undefined || depth > MOST_NAMES) return 'void';
  const named = KEYWORDS[type.tag];
  if (type.name !== undefined) return `${named ?? ''}${type.name}`;
  if (named !== undefined && !QUALIFIERS.includes(type.tag)) return `${named}{...}`;
  if (type.tag === TAG.subroutineType) return 'function';
  const inner = typeName(type.type, depth + 1);
  // `const` of a pointer stands behind it: before, it is that of what it points to.
  if (named !== undefined && isPointer(type.type))
    return `${inner} ${named.trimEnd()}`.replace(/([*&]) (?=const|volatile)/, '$1');
  if (isArray(type)) return `${inner}[${countOf(type) ?? ''}]`;
  const mark = MARKS[type.tag];
  if (mark !== undefined) return `${inner}${/[*&]$/.test(inner) ? '' : ' '}${mark}`;
  return `${named ?? ''}${inner}`;
}
