import { type Abbreviation, attributeValue } from './abbreviations.js';
import type { ListedRange } from './address-lists.js';
import type { DwarfReader } from './dwarf-reader.js';
import type { FormValue } from './forms.js';
import { AT } from './names.js';

/** What an entry needs of its unit. */
export interface EntryUnit {
  /** In .debug_info. */
  readonly offset: number;
  readonly offsetBytes: 4 | 8;
  readonly root: DebugEntry;
  reader(at: number): DwarfReader;
  /** The entry at an offset of .debug_info; undefined: there the children of the one before it end. */
  read(at: number, parent: DebugEntry | undefined): DebugEntry | undefined;
  textOf(value: FormValue | undefined): string | undefined;
  addressOf(value: FormValue | undefined): number | undefined;
  addressOfIndex(index: number): number;
  entryOf(value: FormValue | undefined): DebugEntry | undefined;
  rangesOf(value: FormValue): readonly ListedRange[];
  locationsOf(value: FormValue): Locations;
}

/** The expressions that say where something is: one, or each for a range of the code. */
export type Locations = { readonly everywhere: Buffer } | { readonly list: readonly ListedRange[] };

/** An entry of .debug_info: a function, a variable, a type. Its attributes and children are read when they are asked for. */
export class DebugEntry {
  readonly unit: EntryUnit;
  /** In .debug_info. */
  readonly offset: number;
  readonly tag: number;
  /** Undefined for a root, and for one that was found by a reference. */
  readonly parent: DebugEntry | undefined;
  readonly #abbreviation: Abbreviation;
  /** Behind its code. */
  readonly #at: number;
  #values: ReadonlyMap<number, FormValue> | undefined;
  #end = 0;
  #children: readonly DebugEntry[] | undefined;

  constructor(unit: EntryUnit, offset: number, at: number, abbreviation: Abbreviation, parent: DebugEntry | undefined) {
    this.unit = unit;
    this.offset = offset;
    this.#at = at;
    this.#abbreviation = abbreviation;
    this.tag = abbreviation.tag;
    this.parent = parent;
  }

  has(attribute: number): boolean {
    return this.#abbreviation.attributes.some(({ name }) => name === attribute);
  }

  value(attribute: number): FormValue | undefined {
    return this.has(attribute) ? this.#read().get(attribute) : undefined;
  }

  text(attribute: number): string | undefined {
    return this.unit.textOf(this.value(attribute));
  }

  number(attribute: number): number | undefined {
    const value = this.value(attribute);
    return value?.kind === 'number' ? value.number : undefined;
  }

  address(attribute: number): number | undefined {
    return this.unit.addressOf(this.value(attribute));
  }

  /** The entry to which an attribute refers. */
  entry(attribute: number): DebugEntry | undefined {
    return this.unit.entryOf(this.value(attribute));
  }

  /** The entry itself, and those that it completes: its abstract origin, its declaration. */
  *origins(): Generator<DebugEntry> {
    for (let one: DebugEntry | undefined = this, depth = 0; one !== undefined && depth < MOST_ORIGINS; depth++) {
      yield one;
      one = one.entry(AT.abstractOrigin) ?? one.entry(AT.specification);
    }
  }

  /** The first with an attribute among the entry and its origins. */
  with(attribute: number): DebugEntry | undefined {
    for (const one of this.origins()) if (one.has(attribute)) return one;
    return undefined;
  }

  get name(): string | undefined {
    return this.with(AT.name)?.text(AT.name);
  }

  get type(): DebugEntry | undefined {
    const type = this.with(AT.type)?.entry(AT.type);
    // In the place of a type that has a unit of its own stands its signature.
    return type?.entry(AT.signature) ?? type;
  }

  /** The code that it describes. */
  get ranges(): readonly ListedRange[] {
    const ranges = this.value(AT.ranges);
    if (ranges !== undefined) return this.unit.rangesOf(ranges);
    const from = this.address(AT.lowPc);
    const high = this.value(AT.highPc);
    if (from === undefined || high === undefined) return [];
    const to = high.kind === 'number' ? from + high.number : (this.unit.addressOf(high) ?? from);
    return from < to ? [{ from, to }] : [];
  }

  covers(address: number): boolean {
    return this.ranges.some(({ from, to }) => address >= from && address < to);
  }

  get children(): readonly DebugEntry[] {
    this.#children ??= this.#abbreviation.hasChildren ? this.#readChildren() : [];
    return this.#children;
  }

  /** Where the entry behind it and its children begins. */
  get next(): number {
    if (!this.#abbreviation.hasChildren) return this.#endOfValues();
    const sibling = this.value(AT.sibling);
    if (sibling?.kind === 'entry' && sibling.from === 'unit') {
      const next = this.unit.offset + sibling.offset;
      if (next <= this.offset) throw new RangeError('an entry whose sibling is before it');
      return next;
    }
    const last = this.children.at(-1);
    return (last === undefined ? this.#endOfValues() : last.next) + 1;
  }

  #readChildren(): readonly DebugEntry[] {
    const found: DebugEntry[] = [];
    for (let at = this.#endOfValues(); ; ) {
      const child = this.unit.read(at, this);
      if (child === undefined) return found;
      found.push(child);
      at = child.next;
    }
  }

  #endOfValues(): number {
    this.#read();
    return this.#end;
  }

  #read(): ReadonlyMap<number, FormValue> {
    if (this.#values !== undefined) return this.#values;
    const reader = this.unit.reader(this.#at);
    const { offsetBytes } = this.unit;
    const values = new Map<number, FormValue>();
    for (const one of this.#abbreviation.attributes) values.set(one.name, attributeValue(reader, one, offsetBytes));
    this.#end = reader.at;
    this.#values = values;
    return values;
  }
}

/** A chain of origins that is longer is one of a damaged file. */
const MOST_ORIGINS = 8;
