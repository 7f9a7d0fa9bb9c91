import { Label } from './operands.js';

/** Fills in an instruction that stands at an offset of the code, once it is known how far behind that a label is. */
type Fill = (view: DataView, offset: number, distance: number) => void;

/** The place of a label in an instruction. */
interface Fixup {
  readonly label: Label;
  readonly offset: number;
  readonly fill: Fill;
}

/** Machine code that grows: bytes, and labels that are filled in at the end. Its address is known from the start. */
export class CodeBytes {
  /** Where the first byte is going to be. */
  readonly address: number;
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  readonly #fixups: Fixup[] = [];
  #asides: (() => void)[] = [];

  constructor(address = 0) {
    this.address = address;
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** The address of the next byte. */
  get here(): number {
    return this.address + this.#length;
  }

  /** The address of a bound label. */
  addressOf(label: Label): number {
    if (label.offset === undefined) throw new Error('a label that is not bound');
    return this.address + label.offset;
  }

  /** A label for the next byte. */
  label(): Label {
    return this.bind(new Label());
  }

  bind(label: Label): Label {
    if (label.offset !== undefined) throw new Error('a label that is bound twice');
    label.offset = this.#length;
    return label;
  }

  /** A label for code that is seldom run: it is emitted behind all else that there is by the next `emitAsides`. */
  aside(emit: () => void): Label {
    const label = new Label();
    this.#asides.push(() => {
      this.bind(label);
      emit();
    });
    return label;
  }

  emitAsides(): void {
    while (this.#asides.length > 0) {
      const asides = this.#asides;
      this.#asides = [];
      for (const emit of asides) emit();
    }
  }

  bytes(...bytes: readonly number[]): void {
    this.#reserve(bytes.length);
    for (let i = 0; i < bytes.length; i++) this.#bytes[this.#length++] = bytes[i]!;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  int32(value: number): void {
    this.#reserve(4);
    this.#view.setInt32(this.#length, value, true);
    this.#length += 4;
  }

  int64(value: bigint): void {
    this.#reserve(8);
    this.#view.setBigUint64(this.#length, BigInt.asUintN(64, value), true);
    this.#length += 8;
  }

  /** What comes next leads to a label, and is filled in at the end. */
  fillIn(label: Label, fill: Fill): void {
    this.#fixups.push({ label, offset: this.#length, fill });
  }

  /** Up to a multiple of a power of two, with bytes of this value. */
  align(size: number, filler = 0xcc): void {
    const over = this.here % size;
    if (over === 0) return;
    this.#reserve(size - over);
    this.#bytes.fill(filler, this.#length, this.#length + size - over);
    this.#length += size - over;
  }

  /** The code with its labels filled in. */
  finish(): Uint8Array {
    this.emitAsides();
    for (const { label, offset, fill } of this.#fixups) {
      if (label.offset === undefined) throw new Error('a label that is used but not bound');
      fill(this.#view, offset, label.offset - offset);
    }
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
