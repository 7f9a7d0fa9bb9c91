import {
  BLOCKS,
  CALL_FLAGS,
  type ColumnsEnd,
  type ColumnsStart,
  type Definitions,
  MAGIC,
  PART_OF_CALL,
} from './columns-format.js';
import { PayloadReader } from './payload-reader.js';
import { CounterColumn, TimelineRecording, TrackColumns } from './timeline-recording.js';

const HEAD = 5;
const decoder = new TextDecoder();

/** The bytes are no recording, or a damaged one. */
export class ColumnsError extends Error {}

/** Reads the bytes of a recording as they come. */
export class ColumnsReader {
  readonly recording = new TimelineRecording();
  #rest = new Uint8Array(0);
  #hasMagic = false;
  /** How many bytes were read. */
  length = 0;

  /** Takes the next bytes. ColumnsError for what is no recording. */
  push(bytes: Uint8Array): void {
    this.length += bytes.length;
    let all = bytes;
    if (this.#rest.length > 0) {
      all = new Uint8Array(this.#rest.length + bytes.length);
      all.set(this.#rest);
      all.set(bytes, this.#rest.length);
    }
    let at = 0;
    if (!this.#hasMagic) {
      if (all.length < MAGIC.length) {
        this.#rest = all.slice();
        return;
      }
      if (decoder.decode(all.subarray(0, MAGIC.length)) !== MAGIC) throw new ColumnsError('this is no recording for this page');
      this.#hasMagic = true;
      at = MAGIC.length;
    }
    while (all.length - at >= HEAD) {
      const length = (all[at + 1]! | (all[at + 2]! << 8) | (all[at + 3]! << 16) | (all[at + 4]! << 24)) >>> 0;
      const end = at + HEAD + length;
      if (end > all.length) break;
      this.#block(all[at]!, all.subarray(at + HEAD, end));
      at = end;
    }
    this.#rest = all.slice(at);
  }

  /** No more bytes come. ColumnsError if the recording is not whole. */
  finish(): TimelineRecording {
    if (this.recording.end === undefined) throw new ColumnsError(`the recording ends too early, at byte ${this.length}`);
    return this.recording;
  }

  #block(kind: number, payload: Uint8Array): void {
    const { recording } = this;
    if (kind === BLOCKS.start) recording.start = json(payload) as ColumnsStart;
    else if (kind === BLOCKS.definitions) define(recording, json(payload) as Definitions);
    else if (kind === BLOCKS.end) recording.end = json(payload) as ColumnsEnd;
    else READERS[kind]?.(recording, new PayloadReader(payload));
  }
}

const json = (payload: Uint8Array): unknown => JSON.parse(decoder.decode(payload));

function define(recording: TimelineRecording, { functions, tracks, instants, slices, counters }: Definitions): void {
  recording.functions.push(...(functions ?? []));
  for (const track of tracks ?? []) recording.tracks.push(new TrackColumns(recording.tracks.length, track));
  recording.instantKinds.push(...(instants ?? []));
  recording.sliceKinds.push(...(slices ?? []));
  for (const counter of counters ?? []) {
    recording.counterKinds.push(counter);
    recording.counters.push(new CounterColumn());
  }
}

function trackOf({ tracks }: TimelineRecording, index: number): TrackColumns {
  const track = tracks[index];
  if (track === undefined) throw new ColumnsError(`the recording is damaged: there is no track ${index}`);
  return track;
}

/** What reads the payload of each kind of block that is not JSON. */
const READERS: Readonly<Record<number, (recording: TimelineRecording, payload: PayloadReader) => void>> = {
  [BLOCKS.calls]: readCalls,
  [BLOCKS.texts](recording, payload) {
    while (payload.hasMore) recording.texts.add(payload.bytes(payload.varint()));
  },
  [BLOCKS.instants](recording, payload) {
    const { instants } = trackOf(recording, payload.varint());
    let time = payload.varint();
    while (payload.hasMore) {
      instants.kinds.push(payload.varint());
      time += payload.zigzag();
      instants.times.push(time);
      instants.contexts.push(payload.zigzag());
      instants.texts.push(payload.varint());
      recording.cover(time, time);
    }
  },
  [BLOCKS.slices](recording, payload) {
    while (payload.hasMore) {
      const { kinds, tracks, starts, durations, contexts, titles, requests } = recording.slices;
      kinds.push(payload.varint());
      tracks.push(payload.varint());
      const start = payload.varint();
      const duration = payload.varint();
      starts.push(start);
      durations.push(duration);
      contexts.push(payload.zigzag());
      titles.push(payload.varint());
      requests.push(payload.varint() - 1);
      recording.cover(start, start + duration);
    }
  },
  [BLOCKS.counters](recording, payload) {
    while (payload.hasMore) {
      const counter = recording.counters[payload.varint()];
      const [time, value] = [payload.varint(), payload.double()];
      counter?.times.push(time);
      counter?.values.push(value);
      recording.cover(time, time);
    }
  },
  [BLOCKS.marks](recording, payload) {
    while (payload.hasMore) {
      const [track, time] = [payload.varint(), payload.varint()];
      recording.marks.push({ track, time, text: recording.texts.at(payload.varint()) });
      recording.cover(time, time);
    }
  },
  [BLOCKS.losses](recording, payload) {
    while (payload.hasMore) {
      const [track, time] = [payload.varint(), payload.varint()];
      recording.losses.push({ track, time, count: payload.varint() - 1 });
    }
  },
};

function readCalls(recording: TimelineRecording, payload: PayloadReader): void {
  const track = trackOf(recording, payload.varint());
  let end = payload.varint();
  while (payload.hasMore) {
    const flags = payload.byte();
    const func = payload.varint();
    const depth = payload.varint();
    end += payload.zigzag();
    const duration = payload.varint();
    const start = end - duration;
    const inside = (flags & CALL_FLAGS.inside) === 0 ? 0 : payload.varint();
    const row = track.row(depth);
    const at = row.add(start, duration, inside, func, flags);
    if ((flags & CALL_FLAGS.call) !== 0) row.setCall(at, payload.varint());
    if ((flags & CALL_FLAGS.arguments) !== 0) row.setArguments(at, payload.varint());
    if ((flags & CALL_FLAGS.result) !== 0) row.setResult(at, payload.varint());
    if ((flags & PART_OF_CALL) !== 0) row.setActivation(at, payload.varint() - 1);
    track.rows[depth + 1]?.adopt(at, start);
    if (start < recording.from) recording.from = start;
    if (end > recording.to) recording.to = end;
  }
}
