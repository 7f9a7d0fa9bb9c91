import { AtomicsLoad, AtomicsStore } from '../../base/primordials.js';
import type { LinkEvent } from '../loader/link-event.js';

/** Bytes of a log: a power of two. The system gives it pages as they are first written. */
const CAPACITY = 1 << 20;
const MASK = CAPACITY - 1;
/** Two positions, which grow modulo 2^32: up to where the log is written, and up to where it is read. */
const WRITTEN = 0;
const READ = 1;
const DATA_AT = 8;
/** Before each text: the length of its JSON and of its functions, in bytes. */
const LENGTH_BYTES = 8;

/** Saved before the program can replace them. Given primitive values it asks nothing of the program, such as a toJSON. */
const { stringify } = JSON;
const { ownKeys } = Reflect;
const { from } = Buffer;

/**
 * The texts that one thread has linked and the control thread has not read yet, in shared memory: the thread writes them and
 * sends no message, and the control thread reads them when they are needed, even while the thread is busy. One thread writes,
 * one reads, neither waits.
 */
export class TextLog {
  readonly #positions: Int32Array;
  readonly #data: Uint8Array;
  readonly #lengths = new Uint32Array(LENGTH_BYTES / 4);
  readonly #lengthBytes = new Uint8Array(this.#lengths.buffer);

  /** The memory of an empty log. */
  static create(): SharedArrayBuffer {
    return new SharedArrayBuffer(DATA_AT + CAPACITY);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#positions = new Int32Array(memory, 0, DATA_AT / 4);
    this.#data = new Uint8Array(memory, DATA_AT, CAPACITY);
  }

  /** Writes a text; returns false if it does not fit. */
  put(text: LinkEvent): boolean {
    const { functions } = text;
    const head = from(headOf(text), 'utf8');
    const size = LENGTH_BYTES + head.length + functions.length;
    const written = AtomicsLoad(this.#positions, WRITTEN);
    const used = (written - AtomicsLoad(this.#positions, READ)) >>> 0;
    if (size > CAPACITY - used) return false;
    this.#lengths[0] = head.length;
    this.#lengths[1] = functions.length;
    this.#write(written, this.#lengthBytes);
    this.#write(written + LENGTH_BYTES, head);
    this.#write(written + LENGTH_BYTES + head.length, functions);
    AtomicsStore(this.#positions, WRITTEN, (written + size) | 0);
    return true;
  }

  /** The oldest text that was not read yet. */
  take(): LinkEvent | undefined {
    const read = AtomicsLoad(this.#positions, READ);
    if (read === AtomicsLoad(this.#positions, WRITTEN)) return undefined;
    const [headBytes = 0, functionBytes = 0] = new Uint32Array(this.#read(read, LENGTH_BYTES).buffer);
    const head = this.#read(read + LENGTH_BYTES, headBytes);
    const functions = this.#read(read + LENGTH_BYTES + headBytes, functionBytes);
    AtomicsStore(this.#positions, READ, (read + LENGTH_BYTES + headBytes + functionBytes) | 0);
    return { ...(JSON.parse(new TextDecoder().decode(head)) as Omit<LinkEvent, 'functions'>), functions };
  }

  #write(position: number, bytes: Uint8Array): void {
    const at = position & MASK;
    const fit = CAPACITY - at;
    this.#data.set(bytes.length > fit ? bytes.subarray(0, fit) : bytes, at);
    if (bytes.length > fit) this.#data.set(bytes.subarray(fit), 0);
  }

  #read(position: number, length: number): Uint8Array<ArrayBuffer> {
    const at = position & MASK;
    const bytes = new Uint8Array(length);
    const first = this.#data.subarray(at, at + length);
    bytes.set(first);
    bytes.set(this.#data.subarray(0, length - first.length), first.length);
    return bytes;
  }
}

/** JSON of all but the functions, value by value. */
function headOf(record: object): string {
  let head = '{';
  const keys = ownKeys(record);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const value = (record as Record<string, unknown>)[key];
    if (key === 'functions' || value === undefined) continue;
    head += `${head === '{' ? '' : ','}"${key}":${typeof value === 'object' ? headOf(value as object) : stringify(value)}`;
  }
  return `${head}}`;
}
