import { FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import type { RingBufferReader } from '../../../ring-buffer/index.js';
import { addressOf } from './address-of.js';

/** A tracer's record, decoded. */
export interface ReadRecord {
  readonly event: 'function' | 'funcgraph_entry' | 'funcgraph_exit';
  readonly ts: number;
  readonly pid: number;
  readonly name: string;
  /** The parent's name, of function, undefined when the record has none. */
  readonly parent: string | undefined;
  readonly depth: number;
  readonly overrun: number;
  readonly calltime: number;
  readonly rettime: number;
  readonly flags: number;
  readonly args: readonly string[];
  readonly result: string | undefined;
}

const EVENTS = { 1: 'function', 10: 'funcgraph_exit', 11: 'funcgraph_entry' } as const;

/** Takes every record out of a ring buffer. */
export function readRecords(reader: RingBufferReader, names: readonly string[]): ReadRecord[] {
  const records: ReadRecord[] = [];
  for (; reader.peek(); reader.consume()) {
    const view = new DataView(reader.bytes.buffer, reader.payload, reader.length);
    const event = EVENTS[view.getUint16(0, true) as keyof typeof EVENTS];
    const nameAt = (offset: number): string | undefined => {
      const low = view.getUint32(offset, true);
      return low === 0 ? undefined : names.find((_, n) => addressOf(n) === low);
    };
    const graph = event !== 'function';
    const { fields } = FTRACE_EVENTS.funcgraph_exit;
    const exit = event === 'funcgraph_exit';
    let at: number = FTRACE_EVENTS[event].size;
    const flags = graph && at < view.byteLength ? view.getUint8(at++) : 0;
    const count = at >= view.byteLength ? 0 : exit ? 1 : view.getUint8(at++);
    const texts: string[] = [];
    for (let i = 0; i < count; i++) {
      const length = view.getUint8(at);
      texts.push(Buffer.from(new Uint8Array(view.buffer, view.byteOffset + at + 1, length)).toString());
      at += 1 + length;
    }
    records.push({
      event,
      ts: reader.ts,
      pid: view.getInt32(4, true),
      name: nameAt(8) ?? '?',
      parent: graph ? undefined : nameAt(16),
      depth: graph ? view.getInt32(16, true) : 0,
      overrun: exit ? view.getUint32(fields.overrun.offset, true) : 0,
      calltime: exit ? Number(view.getBigUint64(fields.calltime.offset, true)) : 0,
      rettime: exit ? Number(view.getBigUint64(fields.rettime.offset, true)) : 0,
      flags,
      args: exit ? [] : texts,
      result: exit && texts[0] !== '' ? texts[0] : undefined,
    });
  }
  return records;
}
