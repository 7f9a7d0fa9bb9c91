import { isRefused, Refused } from '../../base/refused.js';
import type { FetchedVariable } from '../../port/port.js';
import type { Fetch, ProbeType, ProbeTypeName } from '../../probes/probe-definition.js';
import { rowOf } from '../../probes/probe-definition.js';
import {
  countOf,
  isAggregate,
  isArray,
  isChar,
  isFloat,
  isPointer,
  isReference,
  isSigned,
  type Member,
  memberNames,
  memberOf,
  plainType,
  sizeOf,
  typeName,
} from './c-type.js';
import type { DebugEntry } from './debug-entry.js';
import type { LocatedVariable } from './debug-function.js';
import { TAG } from './names.js';
import { fetchedFrom, type Location, partOf, plus, type Sum, wordFrom } from './value.js';

/** Something of the program's data. */
interface Datum {
  /** The expression as it is written. */
  readonly text: string;
  readonly at: Location;
  /** The type without its other names; undefined is void. */
  readonly type: DebugEntry | undefined;
  readonly bits?: Member['bits'];
}

/** Elements of an array that a probe can have (MAX_ARRAY_LEN of kernel/trace/trace_probe.h). */
const MOST_ELEMENTS = 64;
const WORD_BITS = 64;
/** Members that an error names. */
const MOST_NAMED = 12;
const INTEGERS: Readonly<Record<number, readonly [signed: ProbeTypeName, unsigned: ProbeTypeName, bits: ProbeTypeName]>> = {
  1: ['s8', 'u8', 'x8'],
  2: ['s16', 'u16', 'x16'],
  4: ['s32', 'u32', 'x32'],
  8: ['s64', 'u64', 'x64'],
};

/**
 * Finds a variable's value, or that of a member of it. Pointers are followed, as `->` does.
 * @param path names of members, and indices of elements
 * @param asked the type that the argument has; undefined: the variable's own
 * @returns the variable, or why there is none
 */
export function fetchVariable(
  { name, location, type }: LocatedVariable,
  path: readonly string[],
  asked: ProbeType | undefined,
): FetchedVariable | Refused {
  let datum: Datum = { text: name, at: location, type: plainType(type) };
  for (const one of path) {
    const next = memberOfDatum(datum, one);
    if (isRefused(next)) return next;
    datum = next;
  }
  const found = isReference(datum.type) ? target(datum) : datum;
  if (isRefused(found)) return found;
  const wanted = asked ?? defaultType(found);
  return isRefused(wanted) ? wanted : fetchedAs(found, wanted);
}

/** What a pointer has. */
function pointerIn({ at, text }: Datum): Sum | Refused {
  const place = partOf(at, 0);
  if (place.kind === 'memory') return wordFrom(place.address);
  if (place.kind === 'value' && place.byte === 0) return place.value;
  return new Refused(place.kind === 'nowhere' ? `${text} ${place.why}` : `${text} begins in the midst of a register`);
}

/** What a pointer or a reference leads to. */
function target(datum: Datum): Datum | Refused {
  const pointer = pointerIn(datum);
  if (isRefused(pointer)) return pointer;
  return { text: datum.text, at: { kind: 'memory', address: pointer }, type: plainType(datum.type!.type) };
}

function memberOfDatum(whole: Datum, name: string): Datum | Refused {
  const isIndex = /^\d+$/.test(name);
  if (isIndex && isArray(whole.type)) return element(whole, whole.type!, Number(name));
  if (!isPointer(whole.type))
    return isIndex ? new Refused(`${whole.text} is no array: its type is ${typeName(whole.type)}`) : member(whole, name);
  const pointed = target(whole);
  if (isRefused(pointed)) return pointed;
  if (!isIndex || isReference(whole.type)) return isReference(whole.type) ? memberOfDatum(pointed, name) : member(pointed, name);
  const size = sizeOf(pointed.type);
  if (size === 0) return new Refused(`${whole.text} points to ${typeName(pointed.type)}, which has no elements`);
  return { ...pointed, text: `${whole.text}[${name}]`, at: partOf(pointed.at, size * Number(name)) };
}

function element({ at, text }: Datum, array: DebugEntry, index: number): Datum | Refused {
  const count = countOf(array);
  // One element or none stands for as many as there are.
  if (count !== undefined && count > 1 && index >= count) return new Refused(`${text} has ${count} elements, from 0`);
  const size = sizeOf(array.type);
  if (size === 0) return new Refused(`the elements of ${text} have no size`);
  return { text: `${text}[${index}]`, at: partOf(at, size * index), type: plainType(array.type) };
}

function member({ at, text, type }: Datum, name: string): Datum | Refused {
  if (type === undefined || !isAggregate(type))
    return new Refused(`${text} has no member ${name}: its type is ${typeName(type)}`);
  const found = memberOf(type, name);
  if (found === undefined) {
    const names = memberNames(type);
    const all = names.slice(0, MOST_NAMED).join(', ');
    if (names.length === 0) return new Refused(`${text} has no member ${name}: nothing says what ${typeName(type)} has`);
    return new Refused(`${text} has no member ${name}: it has ${all}${names.length > MOST_NAMED ? ', ...' : ''}`);
  }
  const { offset, bits, absent } = found;
  if (absent !== undefined) return new Refused(`${text}.${name} ${absent}`);
  return { text: `${text}.${name}`, at: partOf(at, offset), type: plainType(found.type), ...(bits && { bits }) };
}

function defaultType({ text, type, bits }: Datum): ProbeType | Refused {
  if (isArray(type)) return arrayType(text, type!);
  const name = scalarType(type);
  if (name !== undefined) return bits === undefined ? { name } : { name: INTEGERS[sizeOf(type)]![1], bits };
  const names = isAggregate(type) ? memberNames(type!).slice(0, MOST_NAMED).join(', ') : '';
  return new Refused(`${text} is a whole ${typeName(type)}${names === '' ? '' : `; name a member: ${names}`}`);
}

/** The type of a value that a record has as it is; a number with a fraction by its bits. */
function scalarType(type: DebugEntry | undefined): ProbeTypeName | undefined {
  if (isPointer(type)) return isChar(plainType(type!.type)) ? 'string' : 'x64';
  if (type?.tag !== TAG.baseType && type?.tag !== TAG.enumeration) return undefined;
  const [signed, unsigned, bits] = INTEGERS[sizeOf(type)] ?? [];
  if (isFloat(type)) return bits;
  if (type.name === 'char') return 'char';
  return isSigned(type) ? signed : unsigned;
}

function arrayType(text: string, array: DebugEntry): ProbeType | Refused {
  const of = plainType(array.type);
  if (isChar(of)) return { name: 'string' };
  const name = scalarType(of);
  const count = countOf(array);
  if (name === undefined || count === undefined || count === 0)
    return new Refused(`${text} is a whole ${typeName(array)}: name an element, ${text}[0]`);
  if (count > MOST_ELEMENTS)
    return new Refused(`${text} has ${count} elements, of which a probe can have ${MOST_ELEMENTS}: name one, ${text}[0]`);
  return { name, count };
}

/** The fetch of something as a type says. */
function fetchedAs(datum: Datum, type: ProbeType): FetchedVariable | Refused {
  const { isText = false } = rowOf(type.name);
  const isText1 = isText && type.count === undefined;
  if (isText1 && isPointer(datum.type))
    return isTextLike(plainType(datum.type!.type)) ? throughPointer(datum, type) : noText(datum);
  if (isText1 && !(isArray(datum.type) && isTextLike(plainType(datum.type!.type)))) return noText(datum);
  if (type.count !== undefined && isPointer(datum.type)) return throughPointer(datum, type);
  const place = partOf(datum.at, 0);
  if (place.kind === 'nowhere') return new Refused(`${datum.text} ${place.why}`);
  const bits = type.bits ?? datum.bits;
  if (place.kind === 'memory') return { fetch: fetchedFrom(place.address), type: bits === undefined ? type : { ...type, bits } };
  if (place.kind !== 'value') return new Refused(`${datum.text} is in parts`);
  if (isText || type.count !== undefined) return new Refused(`${datum.text} is in a register there, not in memory`);
  return fromRegister(datum, place, type, bits);
}

/** Bytes of which a text can be read. */
const isTextLike = (type: DebugEntry | undefined): boolean => type === undefined || sizeOf(type) === 1;
const noText = ({ text, type }: Datum): Refused => new Refused(`${text} is no text: its type is ${typeName(type)}`);

function throughPointer(datum: Datum, type: ProbeType): FetchedVariable | Refused {
  const pointer = pointerIn(datum);
  return isRefused(pointer) ? pointer : { fetch: fetchedFrom(pointer), type };
}

function fromRegister(
  { text }: Datum,
  { value, byte, bytes = WORD_BITS / 8 }: Extract<Location, { kind: 'value' }>,
  type: ProbeType,
  bits: ProbeType['bits'],
): FetchedVariable | Refused {
  const { fetch, addend } = value;
  const { size, signed } = rowOf(type.name);
  if (fetch !== undefined && addend !== 0)
    return new Refused(`${text} is nowhere as a value there: it is ${shown(plus(value, 0))}`);
  if (byte + (bits === undefined ? size : 1) > bytes)
    return new Refused(`${text} is computed there from ${bytes} bytes of a register`);
  const source: Fetch = fetch ?? { kind: 'immediate', value: addend };
  if (byte === 0) return { fetch: source, type: bits === undefined ? type : { ...type, bits } };
  const first = 8 * byte + (bits?.offset ?? 0);
  const width = bits?.width ?? 8 * size;
  if (signed) return new Refused(`${text} is in the upper part of a register: give it a type without a sign`);
  if (first + width > WORD_BITS) return new Refused(`${text} is in two registers`);
  return { fetch: source, type: { name: 'u64', bits: { width, offset: first } } };
}

const shown = ({ fetch, addend }: Sum): string =>
  `${fetch?.kind === 'register' ? `%${fetch.name}` : 'what memory has'} ${addend < 0 ? '-' : '+'} ${Math.abs(addend)}`;

/** A variable, and the members that follow it. */
export interface MeantVariable {
  readonly variable: LocatedVariable;
  readonly path: readonly string[];
}

/**
 * The variable that a name and what follows it mean at a place, as C++ looks for names: one of the function, a member of `this`,
 * one outside of functions, which may have its namespaces and classes before it. Undefined: none.
 * @param words the name, and those behind its dots and arrows
 */
export function variableMeant(known: readonly LocatedVariable[], words: readonly string[]): MeantVariable | undefined {
  const [name, ...path] = words as [string, ...string[]];
  const named = known.find((variable) => variable.name === name);
  const plain = named && { variable: named, path };
  if (named?.kind !== 'module variable' && plain !== undefined) return plain;
  const self = known.find((variable) => variable.name === 'this');
  const pointed = plainType(plainType(self?.type)?.type);
  const member = isAggregate(pointed) ? memberOf(pointed!, name) : undefined;
  const ofThis = member && self && { variable: self, path: words };
  return (member?.absent === undefined ? ofThis : undefined) ?? plain ?? qualified(known, words) ?? ofThis;
}

/** `shop.Customer.count.low`: as many words as there are in the end of a variable's path, then members. */
function qualified(known: readonly LocatedVariable[], words: readonly string[]): MeantVariable | undefined {
  for (let length = words.length; length > 1; length--) {
    const asked = `.${words.slice(0, length).join('.')}`;
    const variable = known.find(({ path }) => path !== undefined && `.${path.join('.')}`.endsWith(asked));
    if (variable !== undefined) return { variable, path: words.slice(length) };
  }
  return undefined;
}
