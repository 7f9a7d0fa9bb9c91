/** A place in a DWARF expression. */
export class ExpressionLabel {
  offset: number | undefined;
}

/** Operations that unwinders know (DWARF 5, section 2.5). */
const OP = {
  deref: 0x06,
  const1u: 0x08,
  const8u: 0x0e,
  dup: 0x12,
  drop: 0x13,
  over: 0x14,
  pick: 0x15,
  swap: 0x16,
  rot: 0x17,
  and: 0x1a,
  minus: 0x1c,
  mul: 0x1e,
  plus: 0x22,
  plus_uconst: 0x23,
  bra: 0x28,
  eq: 0x29,
  skip: 0x2f,
  lit0: 0x30,
  breg0: 0x70,
  deref_size: 0x94,
} as const;
const MOST_LITERAL = 31;

type Plain = Exclude<
  keyof typeof OP,
  'const1u' | 'const8u' | 'pick' | 'plus_uconst' | 'bra' | 'skip' | 'lit0' | 'breg0' | 'deref_size'
>;

/** An unsigned LEB128 number. */
export function uleb(value: number): number[] {
  const bytes: number[] = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

/** A DWARF expression that grows, with jumps. */
export class DwarfExpression {
  readonly #bytes: number[] = [];
  readonly #jumps: { readonly at: number; readonly label: ExpressionLabel }[] = [];

  op(...names: readonly Plain[]): this {
    for (const name of names) this.#bytes.push(OP[name]);
    return this;
  }

  /** Pushes a number of up to 8 bits, or an address. */
  constant(value: number): this {
    if (value <= MOST_LITERAL) this.#bytes.push(OP.lit0 + value);
    else if (value <= 0xff) this.#bytes.push(OP.const1u, value);
    else {
      const bytes = new Uint8Array(8);
      new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
      this.#bytes.push(OP.const8u, ...bytes);
    }
    return this;
  }

  /** Replaces an address by so many bytes that are there. */
  read(bytes: number): this {
    this.#bytes.push(OP.deref_size, bytes);
    return this;
  }

  add(value: number): this {
    this.#bytes.push(OP.plus_uconst, ...uleb(value));
    return this;
  }

  /** Pushes what a register has. */
  register(number: number): this {
    this.#bytes.push(OP.breg0 + number, 0);
    return this;
  }

  /** Pushes what is so many entries below the top. */
  pick(depth: number): this {
    this.#bytes.push(OP.pick, depth);
    return this;
  }

  label(label = new ExpressionLabel()): ExpressionLabel {
    label.offset = this.#bytes.length;
    return label;
  }

  /** Goes to a label; `branch`: if the top, which is removed, is not 0. */
  jump(how: 'skip' | 'branch', label: ExpressionLabel): this {
    this.#bytes.push(how === 'skip' ? OP.skip : OP.bra, 0, 0);
    this.#jumps.push({ at: this.#bytes.length - 2, label });
    return this;
  }

  finish(): readonly number[] {
    for (const { at, label } of this.#jumps) {
      const distance = label.offset! - (at + 2);
      this.#bytes[at] = distance & 0xff;
      this.#bytes[at + 1] = (distance >> 8) & 0xff;
    }
    return this.#bytes;
  }
}
