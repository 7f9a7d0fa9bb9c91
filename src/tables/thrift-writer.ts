import { Buffer } from 'node:buffer';

/** Types of Thrift's compact protocol. */
const TYPE = { true: 1, false: 2, i32: 5, i64: 6, binary: 8, list: 9, struct: 12 } as const;
type ElementType = 'i32' | 'binary' | 'struct';

const TWO_7 = 128;

/** Writes structures in Thrift's compact protocol, in which Parquet has all that it says of its data. */
export class ThriftWriter {
  readonly #bytes: number[] = [];
  readonly #fields: number[] = [0];

  /** What was written. */
  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  i32(field: number, value: number): this {
    this.#field(field, TYPE.i32);
    this.#zigzag(value);
    return this;
  }

  i64(field: number, value: number): this {
    this.#field(field, TYPE.i64);
    this.#zigzag(value);
    return this;
  }

  flag(field: number, value: boolean): this {
    this.#field(field, value ? TYPE.true : TYPE.false);
    return this;
  }

  binary(field: number, value: string | Uint8Array): this {
    this.#field(field, TYPE.binary);
    this.#binary(value);
    return this;
  }

  struct(field: number, write: (writer: this) => void): this {
    this.#field(field, TYPE.struct);
    this.#struct(write);
    return this;
  }

  /** A list of structures, numbers or texts. */
  list<T>(field: number, type: ElementType, values: readonly T[], write?: (writer: this, value: T) => void): this {
    this.#field(field, TYPE.list);
    this.#bytes.push((Math.min(values.length, 15) << 4) | TYPE[type]);
    if (values.length >= 15) this.#varint(values.length);
    for (const value of values) {
      if (type === 'struct') this.#struct((writer) => write!(writer, value));
      else if (type === 'i32') this.#zigzag(value as number);
      else this.#binary(value as string);
    }
    return this;
  }

  /** The outermost structure ends. */
  end(): this {
    this.#bytes.push(0);
    return this;
  }

  #struct(write: (writer: this) => void): void {
    this.#fields.push(0);
    write(this);
    this.#fields.pop();
    this.#bytes.push(0);
  }

  #field(field: number, type: number): void {
    const last = this.#fields.length - 1;
    const step = field - this.#fields[last]!;
    this.#fields[last] = field;
    this.#bytes.push((step << 4) | type);
  }

  #binary(value: string | Uint8Array): void {
    const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
    this.#varint(bytes.length);
    for (const byte of bytes) this.#bytes.push(byte);
  }

  /** @param value below 2^52, so that its double is exact */
  #zigzag(value: number): void {
    this.#varint(value >= 0 ? value * 2 : -value * 2 - 1);
  }

  #varint(value: number): void {
    let rest = value;
    while (rest >= TWO_7) {
      this.#bytes.push((rest % TWO_7) | TWO_7);
      rest = Math.floor(rest / TWO_7);
    }
    this.#bytes.push(rest);
  }
}
