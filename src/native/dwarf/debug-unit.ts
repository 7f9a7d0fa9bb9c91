import { type Abbreviation, readAbbreviations } from './abbreviations.js';
import { type ListedRange, readLocations, readRanges } from './address-lists.js';
import { DebugEntry, type EntryUnit, type Locations } from './debug-entry.js';
import type { DebugSections } from './debug-sections.js';
import { DwarfReader } from './dwarf-reader.js';
import type { FormValue } from './forms.js';
import { AT } from './names.js';

/** DW_UT: units that have types by their signature, and those whose contents are in another file. */
const TYPE_UNITS = [2, 6];
const SKELETONS = [4, 5];

/** What stands before a unit's entries. */
export interface UnitHeader {
  /** In .debug_info. */
  readonly offset: number;
  readonly end: number;
  readonly version: number;
  readonly offsetBytes: 4 | 8;
  readonly abbreviations: number;
  /** Where its entries begin. */
  readonly first: number;
  /** The type of a unit of types: its signature, and the offset in the unit of its type. */
  readonly type?: { readonly signature: number; readonly offset: number };
  readonly isSkeleton: boolean;
}

/** The expression for the code at an address. */
export const expressionAt = (locations: Locations, address: number): Buffer | undefined =>
  'everywhere' in locations
    ? locations.everywhere
    : locations.list.find(({ from, to }) => address >= from && address < to)?.expression;

/** Reads a header, and goes on behind its unit. @param isTypes of .debug_types @throws RangeError */
export function readHeader(reader: DwarfReader, isTypes: boolean): UnitHeader {
  const offset = reader.at;
  const { length, offsetBytes } = reader.length();
  const end = reader.at + length;
  if (end > reader.bytes.length) throw new RangeError('a unit that goes on behind the section');
  const version = reader.u16();
  if (version < 2 || version > 5) throw new RangeError(`version ${version}, which is none of 2 to 5,`);
  const kind = version < 5 ? 1 : reader.u8();
  if (version >= 5) reader.skip(1);
  const abbreviations = reader.offset(offsetBytes);
  if (version < 5) reader.skip(1);
  const isType = isTypes || TYPE_UNITS.includes(kind);
  const isSkeleton = SKELETONS.includes(kind);
  const type = isType ? { signature: reader.u64(), offset: reader.offset(offsetBytes) } : undefined;
  if (isSkeleton) reader.skip(8);
  const first = reader.at;
  reader.at = end;
  return { offset, end, version, offsetBytes, abbreviations, first, isSkeleton, ...(type && { type }) };
}

/** What a unit needs of all. */
export interface UnitInfo {
  readonly sections: DebugSections;
  readonly bytes: Buffer;
  readonly supplement: UnitInfo | undefined;
  /** The entry at an offset of .debug_info, in whichever unit. */
  entryAt(offset: number): DebugEntry | undefined;
  typeOf(signature: number): DebugEntry | undefined;
}

/** A unit of .debug_info: what one source file was compiled to. */
export class DebugUnit implements EntryUnit {
  readonly info: UnitInfo;
  readonly header: UnitHeader;
  #abbreviations: ReadonlyMap<number, Abbreviation> | undefined;
  #root: DebugEntry | undefined;
  readonly #found = new Map<number, DebugEntry>();

  constructor(info: UnitInfo, header: UnitHeader) {
    this.info = info;
    this.header = header;
  }

  get offset(): number {
    return this.header.offset;
  }

  get offsetBytes(): 4 | 8 {
    return this.header.offsetBytes;
  }

  get root(): DebugEntry {
    this.#root ??= this.read(this.header.first, undefined);
    if (this.#root === undefined) throw new RangeError('a unit without entries');
    return this.#root;
  }

  /** Where its line table is in .debug_line; undefined: it has none. */
  get lineTable(): number | undefined {
    const value = this.root.value(AT.statementList);
    if (value?.kind === 'offset') return value.offset;
    return value?.kind === 'number' ? value.number : undefined;
  }

  reader(at: number): DwarfReader {
    return new DwarfReader(this.info.bytes, at);
  }

  /** The entry at an offset of .debug_info; undefined: there the children of the one before it end. */
  read(at: number, parent: DebugEntry | undefined): DebugEntry | undefined {
    if (at >= this.header.end) return undefined;
    const reader = this.reader(at);
    const code = reader.uleb();
    if (code === 0) return undefined;
    this.#abbreviations ??= readAbbreviations(this.info.sections.reader('.debug_abbrev', this.header.abbreviations));
    const abbreviation = this.#abbreviations.get(code);
    if (abbreviation === undefined) throw new RangeError(`an entry of kind ${code}, which the unit does not have,`);
    return new DebugEntry(this, at, reader.at, abbreviation, parent);
  }

  /** The entry to which references lead. */
  at(offset: number): DebugEntry | undefined {
    const known = this.#found.get(offset) ?? this.read(offset, undefined);
    if (known !== undefined) this.#found.set(offset, known);
    return known;
  }

  textOf(value: FormValue | undefined): string | undefined {
    const { sections, supplement } = this.info;
    switch (value?.kind) {
      case 'text':
        return value.text;
      case 'text at':
        return sections.text(value.section, value.offset);
      case 'supplementary text':
        return supplement?.sections.text('.debug_str', value.offset);
      case 'index':
        return value.of === 'texts'
          ? sections.text('.debug_str', this.#entryOfTable('.debug_str_offsets', AT.textOffsetsBase, value.index))
          : undefined;
      default:
        return undefined;
    }
  }

  addressOf(value: FormValue | undefined): number | undefined {
    if (value?.kind === 'address') return value.address;
    return value?.kind === 'index' && value.of === 'addresses' ? this.addressOfIndex(value.index) : undefined;
  }

  addressOfIndex(index: number): number {
    const base = this.#base(AT.addressBase);
    return this.info.sections.reader('.debug_addr', base + 8 * index).u64();
  }

  entryOf(value: FormValue | undefined): DebugEntry | undefined {
    if (value?.kind === 'type') return this.info.typeOf(value.signature);
    if (value?.kind !== 'entry') return undefined;
    if (value.from === 'unit') return this.at(this.offset + value.offset);
    return (value.from === 'section' ? this.info : this.info.supplement)?.entryAt(value.offset);
  }

  rangesOf(value: FormValue): readonly ListedRange[] {
    const at = this.#listOffset(value, 'ranges', '.debug_rnglists', AT.rangesBase);
    const section = this.header.version < 5 ? '.debug_ranges' : '.debug_rnglists';
    return at === undefined ? [] : readRanges(this.info.sections.reader(section, at), this.#listUnit);
  }

  /** What an attribute says of where something is: one expression for all of its scope, or a list. */
  locationsOf(value: FormValue): Locations {
    if (value.kind === 'block') return { everywhere: value.bytes };
    const at = this.#listOffset(value, 'locations', '.debug_loclists', AT.locationsBase);
    const section = this.header.version < 5 ? '.debug_loc' : '.debug_loclists';
    return { list: at === undefined ? [] : readLocations(this.info.sections.reader(section, at), this.#listUnit) };
  }

  get #listUnit(): Parameters<typeof readRanges>[1] {
    const base = this.root.address(AT.lowPc) ?? 0;
    return { version: this.header.version, base, addressOf: (index) => this.addressOfIndex(index) };
  }

  #listOffset(value: FormValue, of: 'ranges' | 'locations', section: string, base: number): number | undefined {
    if (value.kind === 'offset') return value.offset;
    if (value.kind === 'number') return value.number;
    if (value.kind !== 'index' || value.of !== of) return undefined;
    return this.#base(base) + this.#entryOfTable(section, base, value.index);
  }

  /** What a table of offsets, to whose first entry an attribute of the unit leads, has at an index. */
  #entryOfTable(section: string, base: number, index: number): number {
    const { offsetBytes } = this.header;
    return this.info.sections.reader(section, this.#base(base) + offsetBytes * index).offset(offsetBytes);
  }

  #base(attribute: number): number {
    const value = this.root.value(attribute);
    return value?.kind === 'offset' ? value.offset : 0;
  }
}
