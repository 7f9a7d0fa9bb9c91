import { FTRACE_EVENTS } from '../../../events/ftrace-events.js';

const SUBBUF_BYTES = 4096;
const HEADER_BYTES = 16;
const MISSED_EVENTS = 0x80000000;
const MISSED_STORED = 0x40000000;

/** Makes sub-buffers by hand, for tests and benchmarks: one CPU's, in order. */
export class PageBuilder {
  readonly #pages: Buffer[] = [];
  #page = Buffer.alloc(SUBBUF_BYTES);
  #at = HEADER_BYTES;
  #time = 0n;
  #missed: number | 'unknown' = 0;

  /** One event: its payload and its time in ns. */
  event(time: bigint | number, payload: Uint8Array): this {
    const at = BigInt(time);
    const words = Math.ceil(payload.length / 4);
    const header = words > 28 ? 8 : 4;
    const start = this.#at === HEADER_BYTES;
    const extend = !start && at - this.#time >= 1n << 27n ? 8 : 0;
    if (this.#at + extend + header + words * 4 > SUBBUF_BYTES) {
      this.endPage();
      return this.event(time, payload);
    }
    if (start) {
      this.#page.writeBigUInt64LE(at, 0);
      this.#time = at;
    }
    let delta = Number(at - this.#time);
    this.#time = at;
    if (extend > 0) {
      this.#word(((delta % (1 << 27)) << 5) | 30);
      this.#word(Math.floor(delta / (1 << 27)));
      delta = 0;
    }
    this.#word((delta << 5) | (words > 28 ? 0 : words));
    if (words > 28) this.#word(words * 4 + 4);
    this.#page.set(payload, this.#at);
    this.#at += words * 4;
    return this;
  }

  /** A time stamp of its own, as the kernel puts one where deltas do not reach. */
  timeStamp(time: bigint): this {
    this.#word((Number(time & 0x7ffffffn) << 5) | 31);
    this.#word(Number(time >> 27n));
    this.#time = time;
    return this;
  }

  /** A discarded event of `bytes` payload. */
  discarded(bytes: number): this {
    this.#word((1 << 5) | 29);
    this.#time += 1n;
    this.#word(bytes);
    this.#at += bytes - 4;
    return this;
  }

  /** Events lost before the page that begins now. */
  missed(count: number | 'unknown'): this {
    if (this.#at > HEADER_BYTES) this.endPage();
    this.#missed = count;
    return this;
  }

  endPage(): this {
    let commit = this.#at - HEADER_BYTES;
    if (this.#missed !== 0) {
      commit |= MISSED_EVENTS;
      if (this.#missed !== 'unknown' && this.#at + 8 <= SUBBUF_BYTES) {
        commit |= MISSED_STORED;
        this.#page.writeBigUInt64LE(BigInt(this.#missed), this.#at);
      }
    }
    this.#page.writeUInt32LE(commit >>> 0, 8);
    this.#pages.push(this.#page);
    this.#page = Buffer.alloc(SUBBUF_BYTES);
    this.#at = HEADER_BYTES;
    this.#missed = 0;
    return this;
  }

  bytes(): Buffer {
    if (this.#at > HEADER_BYTES) this.endPage();
    return Buffer.concat(this.#pages);
  }

  #word(value: number): void {
    this.#page.writeUInt32LE(value >>> 0, this.#at);
    this.#at += 4;
  }
}

const common = (id: number, pid: number, size: number): Buffer => {
  const payload = Buffer.alloc(size);
  payload.writeUInt16LE(id, 0);
  payload.writeInt32LE(pid, 4);
  return payload;
};

const appendTexts = (texts: readonly string[]): Buffer =>
  Buffer.concat([
    Buffer.of(texts.length),
    ...texts.map((text) => Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)])),
  ]);

/** A `function` record; `args` adds fentry's own part. */
export function functionRecord(pid: number, ip: bigint, parent: bigint, args?: readonly string[]): Buffer {
  const payload = common(FTRACE_EVENTS.function.id, pid, 24);
  payload.writeBigUInt64LE(ip, 8);
  payload.writeBigUInt64LE(parent, 16);
  return args === undefined ? payload : Buffer.concat([payload, appendTexts(args)]);
}

/** A `funcgraph_entry` record; `flags` and `args` add fentry's own part. */
export function graphEntry(pid: number, func: bigint, depth: number, flags?: number, args: readonly string[] = []): Buffer {
  const payload = common(FTRACE_EVENTS.funcgraph_entry.id, pid, 20);
  payload.writeBigUInt64LE(func, 8);
  payload.writeInt32LE(depth, 16);
  return flags === undefined ? payload : Buffer.concat([payload, Buffer.of(flags), appendTexts(args)]);
}

/** A `funcgraph_exit` record; `flags` and `value` add fentry's own part. */
export function graphExit(
  pid: number,
  func: bigint,
  depth: number,
  calltime: bigint,
  rettime: bigint,
  flags?: number,
  value = '',
): Buffer {
  const payload = common(FTRACE_EVENTS.funcgraph_exit.id, pid, 40);
  payload.writeBigUInt64LE(func, 8);
  payload.writeInt32LE(depth, 16);
  payload.writeBigUInt64LE(calltime, 24);
  payload.writeBigUInt64LE(rettime, 32);
  return flags === undefined ? payload : Buffer.concat([payload, Buffer.of(flags, Buffer.byteLength(value)), Buffer.from(value)]);
}

/** A `print` record, as trace_marker writes it. */
export function printRecord(pid: number, ip: bigint, text: string): Buffer {
  const payload = common(FTRACE_EVENTS.print.id, pid, 16);
  payload.writeBigUInt64LE(ip, 8);
  return Buffer.concat([payload, Buffer.from(`${text}\0`)]);
}

/** A `kernel_stack` record. */
export function stackRecord(pid: number, callers: readonly bigint[]): Buffer {
  const payload = common(FTRACE_EVENTS.kernel_stack.id, pid, 16 + callers.length * 8);
  payload.writeInt32LE(callers.length, 8);
  for (const [i, caller] of callers.entries()) payload.writeBigUInt64LE(caller, 16 + i * 8);
  return payload;
}
