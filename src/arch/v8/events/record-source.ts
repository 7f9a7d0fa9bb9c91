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
    const text = `if (typeof ${value} !== "string") ${value} = textOf(${value});`;
    return spec.shape === 'array' ? `${text} ${value} = cutText(${value}, ${spec.count});` : text;
  }
  if (isArray(slot)) {
    const most = spec.shape === 'array' ? spec.count : Math.floor(limit / size);
    return `${value} = elementsOf(${value}, ${most}, ${signed});`;
  }
  if (size === 8) {
    // An address is the number that its 64 bits are with their sign.
    const isSigned = signed || spec.isAddress;
    const isExact = `typeof ${value} === "number" && ${value} === floor(${value}) && ${value} < 9007199254740992`;
    const least = isSigned ? `${value} > -9007199254740992` : `${value} >= 0`;
    return `if (!(${isExact} && ${least})) ${value} = ${isSigned ? 's64Of' : 'u64Of'}(${value});`;
  }
  const narrow = NARROW[`${size}${signed}`]!;
  if (spec.type === 'bool') return `${value} = ${value} === true || (typeof ${value} === "number" && ${value} !== 0) ? 1 : 0;`;
  return `${value} = ${narrow(`(typeof ${value} === "number" ? ${value} : intOf(${value}))`)};`;
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
      put(field.offset, `lowWord(${value})`);
      put(field.offset + 4, `highWord(${value})`);
    } else put(field.offset, size === 4 ? value : `${value} & ${size === 1 ? '0xff' : '0xffff'}`);
  }
  const count = Math.ceil(event.size / 4);
  return Array.from({ length: count - 2 }, (_, i) => (words.get(i + 2) ?? ['0']).join(' | '));
}

/** Statements that store what does not stand in whole words: arrays, and fields of packed events. */
function storeBytes(slots: readonly Slot[]): readonly string[] {
  const lines: string[] = [];
  for (const slot of slots) {
    const { spec, field, value } = slot;
    const size = elementBytes(slot);
    const place = `start + ${field.offset}`;
    if (spec.shape === 'array') {
      lines.push(
        isText(slot)
          ? `putFixedText(u8, ${place}, ${value}, ${spec.count});`
          : `putFixedElements(u8, ${place}, ${value}, ${size}, ${spec.count});`,
      );
    } else if (spec.shape === 'one' && field.offset % size !== 0) lines.push(`putNumber(u8, ${place}, ${value}, ${size});`);
  }
  return lines;
}

/**
 * Statements that find the size of a record; `size` is the variable with it. What is dynamic is then in the scratch memory: its
 * words are those of the record from the one on in which the fixed fields end.
 */
export function sizeRecord(event: TraceEvent): string {
  const slots = slotsOf(event);
  const dynamic = slots.filter(isDynamic);
  if (dynamic.length === 0) return `const size = ${(event.size + 3) & ~3};`;
  const limit = limitOf(slots);
  const phase = event.end & 3;
  const lines = [`let to = ${phase};`, 'let from = to;'];
  for (const slot of dynamic) {
    const { value, bytes } = slot;
    const put = isText(slot)
      ? `putText(scratch, to, ${value}, ${limit})`
      : `putElements(scratch, to, ${value}, ${elementBytes(slot)})`;
    lines.push(`to = ${put};`, `const ${bytes} = to - from;`, 'from = to;');
  }
  lines.push('padScratch(to);', `const size = (${event.size - phase} + to + 3) & ~3;`);
  if (phase !== 0) lines.push(`scratchWords[0] &= ${(0xffffffff << (phase * 8)) >>> 0};`);
  return lines.join('\n');
}

/**
 * Statements that write a record of `size` bytes with the time `now` by the writer `writer`; recorded tells whether it was.
 * The values are in their variables, and of their types.
 */
export function writeRecordSource(event: TraceEvent): string {
  const slots = slotsOf(event);
  const stores = storeBytes(slots);
  const isDynamicRecord = slots.some(isDynamic);
  const first = event.end >> 2;
  const words = fixedWords(event, slots);
  return [
    'const at = writer.reserve(size, now);',
    'if (at >= 0) {',
    '  const u32 = writer.u32;',
    ...(isDynamicRecord ? [`  for (let i = ${first}, e = size >> 2; i < e; i++) u32[at + i] = scratchWords[i - ${first}];`] : []),
    `  u32[at] = ${event.id};`,
    '  u32[at + 1] = trace.pid;',
    ...words.flatMap((text, i) => wordStore(text, i + 2, isDynamicRecord ? first : words.length + 2)),
    ...(stores.length > 0 ? ['  const u8 = writer.u8;', '  const start = at << 2;', ...stores.map((line) => `  ${line}`)] : []),
    '  writer.commit();',
    '}',
  ].join('\n');
}

/** Stores a word of the fixed part. From word `first` on there is something dynamic beside it, which was stored before. */
function wordStore(text: string, word: number, first: number): readonly string[] {
  if (word < first) return [`  u32[at + ${word}] = ${text};`];
  return text === '0' ? [] : [`  u32[at + ${word}] |= ${text};`];
}
