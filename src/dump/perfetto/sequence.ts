import type { WallTime } from '../../base/wall-time.js';
import type { CalledFunction } from '../../output/trace-dat/calls/called-functions.js';
import {
  ANNOTATION,
  CLOCK,
  CLOCK_ID,
  DEFAULTS,
  INTERNED,
  NAMED,
  PACKET,
  SEQUENCE_FLAG,
  SNAPSHOT,
  SOURCE_LOCATION,
  TRACE,
  TRACK_EVENT,
  TYPE,
} from './fields.js';
import { type MessageWriter, written } from './message-writer.js';

/** What the recording's times are for Perfetto. */
export interface SequenceClock {
  /** The clock of Perfetto's that they are of. */
  readonly id: number;
  /** A moment by that clock and by the calendar; undefined if that was not recorded. */
  readonly wall?: WallTime | undefined;
}

/** Characters of texts that get numbers if they come again: shorter ones gain nothing, longer ones seldom come again. */
const SHORT = 6;
const LONG = 256;
/** The most texts that are remembered, of a thread. */
const MOST_TEXTS = 1 << 14;

/** The category of functions without a module. */
const APP = 'app';

/** What a value of an event is for a viewer. */
export type AnnotationValue = string | number | boolean;

/**
 * The packets of one thread: their state says which track is meant and which clock counts, and gives names numbers, so that a
 * packet has few bytes. Times are told as distances from the packet before.
 */
export class Sequence {
  readonly #out: MessageWriter;
  readonly #id: number;
  readonly #clock: SequenceClock;
  /** The last packet's time. */
  #time: number;
  readonly #numbers = { category: new Map<string, number>(), event: new Map<string, number>(), field: new Map<string, number>() };
  #locations = 0;
  /** Texts by which values were told: their numbers, 0 for one that came once. */
  readonly #texts = new Map<string, number>();
  #textCount = 0;
  /** By the function's index: the fields of a call's beginning. */
  readonly #begins: (Uint8Array | undefined)[] = [];
  /** The fields of a function's hit. */
  readonly #hits: (Uint8Array | undefined)[] = [];
  /** The fields of an event that do not change, by its category and name. */
  readonly #heads = new Map<string, Uint8Array>();

  /**
   * @param track the number of its thread's track
   * @param time of its first packet
   */
  constructor(out: MessageWriter, id: number, track: number, clock: SequenceClock, time: number) {
    this.#out = out;
    this.#id = id;
    this.#clock = clock;
    this.#time = time;
    this.#start(track);
  }

  /** A call begins. */
  begin(func: CalledFunction, time: number): number {
    const body = (this.#begins[func.index] ??= this.#functionFields(TYPE.sliceBegin, func));
    const start = this.#packet(time, true);
    this.#out.raw(body);
    return start;
  }

  /** A function was called, nobody knows for how long. */
  hit(func: CalledFunction, time: number): number {
    const body = (this.#hits[func.index] ??= this.#functionFields(TYPE.instant, func));
    const start = this.#packet(time, true);
    this.#out.raw(body);
    return start;
  }

  /** What is open on the track ends. */
  end(time: number, track?: number): number {
    const start = this.#packet(time, false);
    this.#out.number(TRACK_EVENT.type, TYPE.sliceEnd);
    if (track !== undefined) this.#out.number(TRACK_EVENT.trackUuid, track);
    return start;
  }

  /** Something with a name of which there are few: an event's. */
  named(type: number, category: string, name: string, time: number, track?: number): number {
    const key = `${type} ${category} ${name}`;
    let head = this.#heads.get(key);
    if (head === undefined) {
      const [categoryIid, nameIid] = [this.#numberOf('category', category), this.#numberOf('event', name)];
      head = written((out) => {
        out.number(TRACK_EVENT.type, type);
        out.number(TRACK_EVENT.categoryIids, categoryIid);
        out.number(TRACK_EVENT.nameIid, nameIid);
      });
      this.#heads.set(key, head);
    }
    const start = this.#packet(time, true);
    this.#out.raw(head);
    if (track !== undefined) this.#out.number(TRACK_EVENT.trackUuid, track);
    return start;
  }

  /** Something with a text of its own: a mark, a request. */
  titled(type: number, category: string, title: string, time: number, track?: number): number {
    const categoryIid = this.#numberOf('category', category);
    const start = this.#packet(time, true);
    this.#out.number(TRACK_EVENT.type, type);
    this.#out.number(TRACK_EVENT.categoryIids, categoryIid);
    this.#out.text(TRACK_EVENT.name, title);
    if (track !== undefined) this.#out.number(TRACK_EVENT.trackUuid, track);
    return start;
  }

  counter(track: number, time: number, value: number): void {
    const out = this.#out;
    const start = this.#packet(time, false);
    out.number(TRACK_EVENT.type, TYPE.counter);
    out.number(TRACK_EVENT.trackUuid, track);
    if (Number.isInteger(value)) out.number(TRACK_EVENT.counterValue, value);
    else out.double(TRACK_EVENT.doubleCounterValue, value);
    this.done(start);
  }

  /** Names of annotations that the next packet has; they stand before it. */
  fieldNumber(name: string): number {
    return this.#numberOf('field', name);
  }

  /** The number of a text that comes again; 0 for one that is written out. It is asked for before the next packet. */
  textNumber(text: string): number {
    if (text.length < SHORT || text.length > LONG) return 0;
    const known = this.#texts.get(text);
    if (known !== undefined && known > 0) return known;
    if (this.#texts.size >= MOST_TEXTS) return 0;
    if (known === undefined) {
      this.#texts.set(text, 0);
      return 0;
    }
    const iid = ++this.#textCount;
    this.#texts.set(text, iid);
    this.#intern(INTERNED.stringValues, (out) => {
      out.number(NAMED.iid, iid);
      out.text(NAMED.name, text);
    });
    return iid;
  }

  /** A value of the packet that is open; `field` is what `fieldNumber` said, `text` what `textNumber` did. */
  annotate(field: number, value: AnnotationValue, text = 0): void {
    const out = this.#out;
    const start = out.open(TRACK_EVENT.debugAnnotations);
    out.number(ANNOTATION.nameIid, field);
    if (text !== 0) out.number(ANNOTATION.stringValueIid, text);
    else if (typeof value === 'string') out.text(ANNOTATION.stringValue, value);
    else if (typeof value === 'boolean') out.number(ANNOTATION.boolValue, Number(value));
    else if (Number.isSafeInteger(value)) out.number(ANNOTATION.intValue, value);
    else out.double(ANNOTATION.doubleValue, value);
    out.close(start);
  }

  /** A flow goes through the slice of the packet that is open, or ends in it. The number is of two words. */
  flow(low: number, high: number, isEnd: boolean): void {
    this.#out.fixed(isEnd ? TRACK_EVENT.terminatingFlowIds : TRACK_EVENT.flowIds, low, high);
  }

  /** Ends the packet that one of the functions above has opened. */
  done(start: number): void {
    this.#out.close(start);
    this.#out.closePacket(this.#packetStart);
  }

  #packetStart = 0;

  /** Opens a packet with an event. */
  #packet(time: number, needsState: boolean): number {
    const out = this.#out;
    this.#packetStart = out.open(TRACE.packet);
    if (time >= this.#time) {
      out.number(PACKET.timestamp, time - this.#time);
      this.#time = time;
    } else {
      out.number(PACKET.timestamp, time);
      out.number(PACKET.timestampClockId, this.#clock.id);
    }
    out.number(PACKET.sequenceId, this.#id);
    if (needsState) out.number(PACKET.sequenceFlags, SEQUENCE_FLAG.needsState);
    return out.open(PACKET.trackEvent);
  }

  /** The first packets: what holds for all others. */
  #start(track: number): void {
    const out = this.#out;
    const { id, wall } = this.#clock;
    const first = out.open(TRACE.packet);
    out.number(PACKET.sequenceId, this.#id);
    out.number(PACKET.sequenceFlags, SEQUENCE_FLAG.cleared);
    const defaults = out.open(PACKET.defaults);
    out.number(DEFAULTS.timestampClockId, CLOCK_ID.delta);
    const event = out.open(DEFAULTS.trackEvent);
    out.number(TRACK_EVENT.trackUuid, track);
    out.close(event);
    out.close(defaults);
    out.closePacket(first);
    const second = out.open(TRACE.packet);
    out.number(PACKET.sequenceId, this.#id);
    const snapshot = out.open(PACKET.clockSnapshot);
    this.#clockAt(CLOCK_ID.delta, this.#time, true);
    this.#clockAt(id, this.#time, false);
    if (wall !== undefined) this.#clockAt(CLOCK_ID.realtime, wall.since1970 + this.#time - wall.time, false);
    out.number(SNAPSHOT.primaryTraceClock, id);
    out.close(snapshot);
    out.closePacket(second);
  }

  #clockAt(id: number, time: number, isIncremental: boolean): void {
    const out = this.#out;
    const clock = out.open(SNAPSHOT.clocks);
    out.number(CLOCK.clockId, id);
    out.number(CLOCK.timestamp, time);
    if (isIncremental) out.number(CLOCK.isIncremental, 1);
    out.close(clock);
  }

  #functionFields(type: number, func: CalledFunction): Uint8Array {
    const category = this.#numberOf('category', func.module === '' ? APP : func.module);
    const name = this.#numberOf('event', func.name);
    const location = this.#location(func);
    return written((out) => {
      out.number(TRACK_EVENT.type, type);
      out.number(TRACK_EVENT.categoryIids, category);
      out.number(TRACK_EVENT.nameIid, name);
      if (location !== undefined) out.number(TRACK_EVENT.sourceLocationIid, location);
    });
  }

  #location({ place, where, symbol }: CalledFunction): number | undefined {
    if (place === undefined) return undefined;
    const iid = ++this.#locations;
    this.#intern(INTERNED.sourceLocations, (out) => {
      out.number(SOURCE_LOCATION.iid, iid);
      out.text(SOURCE_LOCATION.fileName, where.replace(/:\d+$/, ''));
      out.text(SOURCE_LOCATION.functionName, symbol);
      out.number(SOURCE_LOCATION.lineNumber, place.line);
    });
    return iid;
  }

  #numberOf(kind: keyof typeof KINDS, name: string): number {
    const numbers = this.#numbers[kind];
    const known = numbers.get(name);
    if (known !== undefined) return known;
    const iid = numbers.size + 1;
    numbers.set(name, iid);
    this.#intern(KINDS[kind], (out) => {
      out.number(NAMED.iid, iid);
      out.text(NAMED.name, name);
    });
    return iid;
  }

  #intern(field: number, write: (out: MessageWriter) => void): void {
    const out = this.#out;
    const packet = out.open(TRACE.packet);
    out.number(PACKET.sequenceId, this.#id);
    out.number(PACKET.sequenceFlags, SEQUENCE_FLAG.needsState);
    const data = out.open(PACKET.internedData);
    const entry = out.open(field);
    write(out);
    out.close(entry);
    out.close(data);
    out.closePacket(packet);
  }
}

/** Where the numbers of names are told. */
const KINDS = { category: INTERNED.eventCategories, event: INTERNED.eventNames, field: INTERNED.annotationNames } as const;
