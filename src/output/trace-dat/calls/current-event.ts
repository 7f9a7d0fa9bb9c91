import type { Long } from '../../../events/c-types.js';
import { COMMON_FIELDS, type EventFormat } from '../../../events/define.js';
import { FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import { elementsOf, type FieldAccess, fieldAccess, type RecordBytes, textAt } from '../../../events/read-fields.js';
import { symbolFields } from '../../../events/symbol-fields.js';
import type { EventLines } from '../../event-lines.js';
import { pidOf } from '../../record.js';
import type { RecordMerge } from '../../record-merge.js';
import { TraceSeq } from '../../trace-seq.js';
import type { RecordedPlaces } from '../recorded-places.js';
import { type KallsymsTable, RecordedFrames, RecordedSymbols } from '../report/kallsyms-table.js';
import type { ReadValue, Track, VisitedEvent } from './call-visitor.js';

/** What addresses in records are. */
export interface AddressTexts {
  /** The function at an address. */
  readonly nameOf: (address: Long) => string;
  /** The function of a frame of a stack, and where it stands. */
  readonly frameOf: (address: Long) => string;
}

export function addressTexts(table: KallsymsTable, places: RecordedPlaces): AddressTexts {
  const symbols = new RecordedSymbols(table);
  const frames = new RecordedFrames(table, places);
  return { nameOf: (address) => symbols.text(address, false), frameOf: (address) => frames.text(address, false) };
}

const STACK = FTRACE_EVENTS.kernel_stack.id;
/** Behind the last frame of a stack. */
const NO_CALLER = -1n;

/** How to read the records of an event. */
export class EventReader {
  readonly format: EventFormat;
  readonly fields: readonly string[];
  readonly #access = new Map<string, FieldAccess>();
  readonly #texts: AddressTexts;
  /** The offsets of fields that hold addresses of functions. */
  readonly #addresses: ReadonlySet<number>;

  constructor(format: EventFormat, texts: AddressTexts) {
    this.format = format;
    this.#texts = texts;
    this.#addresses = new Set(symbolFields(format));
    this.fields = Object.keys(format.fields).filter((name) => !Object.hasOwn(COMMON_FIELDS, name));
  }

  read(record: RecordBytes, field: string): ReadValue | undefined {
    const declared = Object.hasOwn(this.format.fields, field) ? this.format.fields[field] : undefined;
    if (declared === undefined) return undefined;
    let access = this.#access.get(field);
    if (access === undefined) this.#access.set(field, (access = fieldAccess(declared)));
    const { array } = access;
    if (array === undefined) {
      const number = access.number(record);
      return this.#addresses.has(declared.offset) ? this.#texts.nameOf(number) : number;
    }
    if (array.texts !== undefined) return array.texts.map((one) => textAt(record, one.range(record)));
    if (array.isText) return textAt(record, array.range(record));
    const elements = elementsOf(record, array);
    return this.format.id === STACK && field === 'caller' ? this.#framesOf(elements) : elements;
  }

  #framesOf(addresses: readonly Long[]): readonly string[] {
    return addresses.filter((address) => BigInt.asIntN(64, BigInt(address)) !== NO_CALLER).map(this.#texts.frameOf);
  }
}

/** The event that a merge of records stands at; one object for all, as events are many. */
export class CurrentEvent implements VisitedEvent {
  readonly #merge: RecordMerge;
  readonly #lines: () => EventLines;
  readonly #trackOf: (record: RecordMerge) => Track;
  readonly #seq = new TraceSeq(1 << 10);
  #reader: EventReader;

  /** @param lines what prints events; asked for when the first text is */
  constructor(merge: RecordMerge, reader: EventReader, lines: () => EventLines, trackOf: (record: RecordMerge) => Track) {
    this.#merge = merge;
    this.#reader = reader;
    this.#lines = lines;
    this.#trackOf = trackOf;
  }

  /** The merge stands at a record of this event. */
  at(reader: EventReader): this {
    this.#reader = reader;
    return this;
  }

  get track(): Track {
    return this.#trackOf(this.#merge);
  }

  get time(): number {
    return this.#merge.ts;
  }

  get format(): EventFormat {
    return this.#reader.format;
  }

  get context(): number {
    return pidOf(this.#merge);
  }

  get fields(): readonly string[] {
    return this.#reader.fields;
  }

  read(field: string): ReadValue | undefined {
    return this.#reader.read(this.#merge, field);
  }

  text(): string {
    const seq = this.#seq;
    seq.length = 0;
    this.#lines().get(this.format.id)?.trace(seq, this.#merge);
    return Buffer.from(seq.bytes.buffer, seq.bytes.byteOffset, seq.length).toString('utf8').trimEnd();
  }
}
