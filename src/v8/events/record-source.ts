import { SafeMap } from '../../base/safe-map.js';
import { C_TYPES } from '../../events/c-types.js';
import type { TraceEvent } from '../../events/define.js';
import { elementBytes, isArray, isDynamic, isText, limitOf, type Slot, slotsOf } from './record-slots.js';

/**
 * The text of code that makes records of one event. Each event has its own, so that V8 sees in it only the types of this event's
 * values: a writer for all events would take several times as long.
 */

const DATA_LOC_BYTES = 4;

/** What a dynamic field says of where it lies and how long it is (`__data_loc`), by field. */
function dataLocations(event: TraceEvent, slots: readonly Slot[]): ReadonlyMap<Slot, string> {
  let at = String(event.end);
  const locations = new SafeMap<Slot, string>();
  for (const slot of slots.filter(isDynamic)) {
    locations.set(slot, `(${at}) | ${slot.bytes} << 16`);
    at += ` + ${slot.bytes}`;
  }
  return locations;
}

/** The words of a record's fixed part, each with what is ORed into it. */
function fixedWords(event: TraceEvent, slots: readonly Slot[]): readonly string[] {
  const words = new SafeMap<number, string[]>();
  const put = (byte: number, text: string): void => {
    const word = byte >> 2;
    const shift = (byte & 3) * 8;
    words.set(word, [...(words.get(word) ?? []), shift === 0 ? text : `(${text}) << ${shift}`]);
  };
  const locations = dataLocations(event, slots);
  for (const slot of slots) {
    const { spec, field, value } = slot;
    const { size } = C_TYPES[spec.type];
    if (spec.shape === 'dynamic' && field.offset % DATA_LOC_BYTES === 0) put(field.offset, locations.get(slot)!);
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
function storeBytes(event: TraceEvent, slots: readonly Slot[]): readonly string[] {
  const lines: string[] = [];
  const locations = dataLocations(event, slots);
  for (const slot of slots) {
    const { spec, field, value } = slot;
    const size = elementBytes(slot);
    const place = `start + ${field.offset}`;
    if (spec.shape === 'array') {
      lines.push(
        isText(slot)
          ? `putText(u8, ${place}, ${value}, ${spec.count});`
          : `putFixedElements(u8, ${place}, ${value}, ${size}, ${spec.count});`,
      );
    } else if (spec.shape === 'dynamic' && field.offset % DATA_LOC_BYTES !== 0) {
      lines.push(`putNumber(u8, ${place}, ${locations.get(slot)!}, ${DATA_LOC_BYTES});`);
    } else if (spec.shape === 'one' && field.offset % size !== 0) lines.push(`putNumber(u8, ${place}, ${value}, ${size});`);
  }
  return lines;
}

/** How a dynamic text is stored. */
interface TextWay {
  /** The text's bytes, with the zero byte. */
  readonly bytes: (slot: Slot, limit: number) => string;
  /** What stores it at byte `to`, and tells whether it could. */
  readonly put: (slot: Slot) => string;
}

/** Assumes that each character is one byte. */
const ASCII: TextWay = {
  bytes: ({ value }) => `${value}.length + 1`,
  put: ({ value }) => `putAscii(u8, u32, to, ${value})`,
};

const ANY: TextWay = {
  bytes: ({ value }, limit) => `textBytes(${value}, ${limit - 1}) + 1`,
  put: ({ value, bytes }) => `(putText(u8, to, ${value}, ${bytes}), true)`,
};

/** Statements that store the dynamic fields, one behind the other; `isStored` tells whether all texts could be. */
const storeDynamic = (slots: readonly Slot[], way: TextWay): readonly string[] =>
  slots
    .filter(isDynamic)
    .flatMap((slot) => [
      isText(slot) ? `isStored = isStored && ${way.put(slot)};` : `putElements(u8, to, ${slot.value}, ${elementBytes(slot)});`,
      `to += ${slot.bytes};`,
    ]);

/** Statements that put zeros where a record may have bytes behind its last field. */
const zeroEnd = ({ end, size }: TraceEvent): readonly string[] =>
  Array.from({ length: 1 + ((size - end + 3) >> 2) }, (_, i) => `  u32[at + (size >> 2) - ${i + 1}] = 0;`);

/** Statements that write a record whose texts are stored in this way, and set `isStored`. */
function writeSource(event: TraceEvent, slots: readonly Slot[], way: TextWay): string {
  const limit = limitOf(slots);
  const dynamic = slots.filter(isDynamic);
  const stores = [...storeBytes(event, slots)];
  const isWhole = dynamic.length === 0;
  if (!isWhole) stores.push(`let to = start + ${event.end};`, ...storeDynamic(slots, way));
  return [
    ...dynamic.map((slot) => {
      const size = isText(slot) ? way.bytes(slot, limit) : `${slot.value}.length * ${elementBytes(slot)}`;
      return `const ${slot.bytes} = ${size};`;
    }),
    `const size = (${[event.size, ...dynamic.map(({ bytes }) => bytes)].join(' + ')} + 3) & ~3;`,
    ...(way === ASCII ? dynamic.filter(isText).map(({ bytes }) => `if (${bytes} > ${limit}) isStored = false;`) : []),
    'const at = isStored ? writer.reserve(size, now) : 0;',
    'if (at > 0) {',
    '  const u32 = writer.u32;',
    ...(isWhole ? [] : zeroEnd(event)),
    `  u32[at] = ${event.id};`,
    '  u32[at + 1] = trace.pid;',
    ...fixedWords(event, slots).map((text, i) => `  u32[at + ${i + 2}] = ${text};`),
    ...(stores.length > 0 ? ['  const u8 = writer.u8;', '  const start = at << 2;', ...stores.map((line) => `  ${line}`)] : []),
    '  if (isStored) {',
    '    writer.commit();',
    '    if (env.flags[env.printkAt] !== 0) env.printk(u32, at, size, now);',
    '  } else writer.discard();',
    '} else if (at < 0) env.lost();',
  ].join('\n');
}

/**
 * Statements that write a record with the time `now` by the writer `writer`. The values are in their variables, and of their
 * types. A dynamic text is written as ASCII directly into the ring. If it is none, the record is written anew: looking at each
 * character twice takes half as long again.
 */
export function writeRecordSource(event: TraceEvent): string {
  const slots = slotsOf(event);
  const isCertain = !slots.some((slot) => isText(slot) && isDynamic(slot));
  const first = ['let isStored = true;', '{', indent(writeSource(event, slots, ASCII)), '}'];
  if (isCertain) return first.join('\n');
  return [...first, 'if (!isStored) {', '  isStored = true;', indent(writeSource(event, slots, ANY)), '}'].join('\n');
}

const indent = (text: string): string => text.replace(/^/gm, '  ');
