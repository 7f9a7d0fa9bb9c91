import { C_TYPES } from '../../../events/c-types.js';
import type { TraceEvent } from '../../../events/define.js';
import type { EventField, FieldSpec } from '../../../events/fields.js';

/**
 * The text of code that makes records of one event. Each event has its own, so that V8 sees in it only the types of this event's
 * values: a writer for all events would take several times as long.
 */

/** The most bytes of all texts and arrays in a record: it must fit into a page. */
const MAX_DYNAMIC_BYTES = 3072;

interface Slot {
  readonly name: string;
  readonly spec: FieldSpec;
  readonly field: EventField;
  /** The variable with the value, and for a dynamic field the one with its size in bytes. */
  readonly value: string;
  readonly bytes: string;
}

const slotsOf = (event: TraceEvent): readonly Slot[] =>
  Object.entries<FieldSpec>(event.specs).map(([name, spec], i) => ({
    name,
    spec,
    field: event.fields[name]!,
    value: `v${i}`,
    bytes: `n${i}`,
  }));

/** The variable that holds the value of each field. */
export const slotNames = (event: TraceEvent): ReadonlyMap<string, string> =>
  new Map(slotsOf(event).map(({ name, value }) => [name, value]));

const isText = ({ spec }: Slot): boolean => spec.type === 'char' && spec.shape !== 'one';
const isArray = ({ spec }: Slot): boolean => spec.shape !== 'one';
const isDynamic = ({ spec }: Slot): boolean => spec.shape === 'dynamic' || spec.shape === 'rest';
const elementBytes = ({ spec }: Slot): number => C_TYPES[spec.type].size;

/** The most bytes of each dynamic field. */
const limitOf = (slots: readonly Slot[]): number => Math.floor(MAX_DYNAMIC_BYTES / Math.max(1, slots.filter(isDynamic).length));

/** Integers of up to 32 bits: what the type keeps of an integer of 32 bits. */
const NARROW: Readonly<Record<string, (value: string) => string>> = {
  '1true': (value) => `${value} << 24 >> 24`,
  '1false': (value) => `${value} & 0xff`,
  '2true': (value) => `${value} << 16 >> 16`,
  '2false': (value) => `${value} & 0xffff`,
  '4true': (value) => `${value} | 0`,
  '4false': (value) => `${value} >>> 0`,
};

function fitted(slot: Slot, limit: number): string {
  const { spec, value } = slot;
  const { size, signed } = C_TYPES[spec.type];
  if (isText(slot)) {
    const text = `if (typeof ${value} !== "string") ${value} = rt.textOf(${value});`;
    return spec.shape === 'array' ? `${text} ${value} = rt.cutText(${value}, ${spec.count});` : text;
  }
  if (isArray(slot)) {
    const most = spec.shape === 'array' ? spec.count : Math.floor(limit / size);
    return `${value} = rt.elementsOf(${value}, ${most}, ${signed});`;
  }
  if (size === 8) {
    // An address is the number that its 64 bits are with their sign.
    const isSigned = signed || spec.isAddress;
    const isExact = `typeof ${value} === "number" && ${value} === rt.floor(${value}) && ${value} < 9007199254740992`;
    const least = isSigned ? `${value} > -9007199254740992` : `${value} >= 0`;
    return `if (!(${isExact} && ${least})) ${value} = rt.${isSigned ? 's64Of' : 'u64Of'}(${value});`;
  }
  const narrow = NARROW[`${size}${signed}`]!;
  if (spec.type === 'bool') return `${value} = ${value} === true || (typeof ${value} === "number" && ${value} !== 0) ? 1 : 0;`;
  return `${value} = ${narrow(`(typeof ${value} === "number" ? ${value} : rt.intOf(${value}))`)};`;
}

/** Statements that make each value one of its field's type: what the record will hold. */
export function fitValues(event: TraceEvent): string {
  const slots = slotsOf(event);
  const limit = limitOf(slots);
  return slots.map((slot) => fitted(slot, limit)).join('\n');
}

/** The words of a record's fixed part, each with what is ORed into it. */
function fixedWords(event: TraceEvent, slots: readonly Slot[]): readonly string[] {
  const words = new Map<number, string[]>();
  const put = (byte: number, text: string): void => {
    const word = byte >> 2;
    const shift = (byte & 3) * 8;
    words.set(word, [...(words.get(word) ?? []), shift === 0 ? text : `(${text}) << ${shift}`]);
  };
  let dynamic = String(event.end);
  for (const slot of slots) {
    const { spec, field, value, bytes } = slot;
    const { size } = C_TYPES[spec.type];
    if (spec.shape === 'dynamic') put(field.offset, `(${dynamic}) | ${bytes} << 16`);
    if (isDynamic(slot)) dynamic += ` + ${bytes}`;
    if (isArray(slot) || field.offset % size !== 0) continue;
    if (size === 8) {
      put(field.offset, `rt.lowWord(${value})`);
      put(field.offset + 4, `rt.highWord(${value})`);
    } else put(field.offset, size === 4 ? value : `${value} & ${size === 1 ? '0xff' : '0xffff'}`);
  }
  const count = Math.ceil(event.size / 4);
  return Array.from({ length: count - 2 }, (_, i) => (words.get(i + 2) ?? ['0']).join(' | '));
}

/** Statements that store what does not stand in whole words: arrays, and fields of packed events. */
function storeBytes(event: TraceEvent, slots: readonly Slot[]): readonly string[] {
  const lines: string[] = [];
  for (const slot of slots) {
    const { spec, field, value } = slot;
    const size = elementBytes(slot);
    const place = `start + ${field.offset}`;
    if (spec.shape === 'array') {
      lines.push(
        isText(slot)
          ? `rt.putFixedText(u8, ${place}, ${value}, ${spec.count});`
          : `rt.putFixedElements(u8, ${place}, ${value}, ${size}, ${spec.count});`,
      );
    } else if (spec.shape === 'one' && field.offset % size !== 0) lines.push(`rt.putNumber(u8, ${place}, ${value}, ${size});`);
  }
  const dynamic = slots.filter(isDynamic);
  if (dynamic.length > 0) lines.push(`let to = start + ${event.end};`);
  for (const slot of dynamic) {
    const { value, bytes } = slot;
    lines.push(
      isText(slot)
        ? `to = rt.putText(u8, to, ${value}, ${bytes});`
        : `to = rt.putElements(u8, to, ${value}, ${elementBytes(slot)});`,
    );
  }
  return lines;
}

/** Statements that find the size of a record; `size` is the variable with it. */
export function sizeRecord(event: TraceEvent): string {
  const slots = slotsOf(event);
  const dynamic = slots.filter(isDynamic);
  const limit = limitOf(slots);
  const sizes = dynamic.map((slot) =>
    isText(slot)
      ? `const ${slot.bytes} = rt.textBytes(${slot.value}, ${limit});`
      : `const ${slot.bytes} = ${slot.value}.length * ${elementBytes(slot)};`,
  );
  const sum = [event.size, ...dynamic.map(({ bytes }) => bytes)].join(' + ');
  return [...sizes, dynamic.length === 0 ? `const size = ${(event.size + 3) & ~3};` : `const size = (${sum} + 3) & ~3;`].join(
    '\n',
  );
}

/**
 * Statements that write a record of `size` bytes with the time `now` by the writer `writer`; recorded tells whether it was.
 * The values are in their variables, and of their types.
 */
export function writeRecordSource(event: TraceEvent): string {
  const slots = slotsOf(event);
  const stores = storeBytes(event, slots);
  const isDynamicRecord = slots.some(isDynamic);
  const words = fixedWords(event, slots);
  return [
    'const at = writer.reserve(size, now);',
    'if (at >= 0) {',
    '  const u32 = writer.u32;',
    // Padding first: the record is whole words, and no byte of an older event shows. It reaches into the last three words.
    ...(isDynamicRecord ? ['  const last = at + (size >> 2);', '  u32[last - 1] = u32[last - 2] = u32[last - 3] = 0;'] : []),
    `  u32[at] = ${event.id};`,
    '  u32[at + 1] = trace.pid;',
    ...words.map((text, i) => `  u32[at + ${i + 2}] = ${text};`),
    ...(stores.length > 0 ? ['  const u8 = writer.u8;', '  const start = at << 2;', ...stores.map((line) => `  ${line}`)] : []),
    '  writer.commit();',
    '}',
  ].join('\n');
}
