import { lastAtOrBefore } from '../../base/last-at-or-before.js';
import type { DebugEntry } from './debug-entry.js';
import type { DebugSections } from './debug-sections.js';
import { DebugUnit, readHeader, type UnitInfo } from './debug-unit.js';
import { DwarfReader } from './dwarf-reader.js';

/**
 * The entries of an object's .debug_info (DWARF 2 to 5). Only headers are read at first; a unit when something of it is asked
 * for.
 */
export class DebugInfo implements UnitInfo {
  readonly sections: DebugSections;
  readonly bytes: Buffer;
  /** What the object shares with others (.gnu_debugaltlink), if that file is there. */
  readonly supplement: DebugInfo | undefined;
  readonly units: readonly DebugUnit[];
  readonly #starts: readonly number[];
  #types: ReadonlyMap<number, DebugEntry> | undefined;
  #ranges: { readonly from: Float64Array; readonly parts: readonly UnitPart[] } | undefined;

  readonly #isTypes: boolean;

  /**
   * @param isTypes the bytes are those of .debug_types, in which DWARF 4 has units of types
   * @throws RangeError if the headers are damaged
   */
  constructor(sections: DebugSections, bytes: Buffer, supplement: DebugInfo | undefined, isTypes = false) {
    this.#isTypes = isTypes;
    this.sections = sections;
    this.bytes = bytes;
    this.supplement = supplement;
    const units: DebugUnit[] = [];
    const reader = new DwarfReader(bytes);
    while (reader.at < bytes.length) units.push(new DebugUnit(this, readHeader(reader, isTypes)));
    this.units = units;
    this.#starts = units.map(({ offset }) => offset);
  }

  entryAt(offset: number): DebugEntry | undefined {
    return this.units[lastAtOrBefore(this.#starts, offset)]?.at(offset);
  }

  typeOf(signature: number): DebugEntry | undefined {
    this.#types ??= new Map(
      [...this.units, ...this.#typeUnits()].flatMap((unit) => {
        const { type, offset } = unit.header;
        const entry = type && unit.at(offset + type.offset);
        return type && entry ? [[type.signature, entry] as const] : [];
      }),
    );
    return this.#types.get(signature);
  }

  #typeUnits(): readonly DebugUnit[] {
    const bytes = this.#isTypes ? undefined : this.sections.find('.debug_types');
    return bytes === undefined ? [] : new DebugInfo(this.sections, bytes, this.supplement, true).units;
  }

  /** The unit that has code at an address. */
  unitAt(address: number): DebugUnit | undefined {
    const { from, parts } = (this.#ranges ??= this.#readRanges());
    const part = parts[lastAtOrBefore(from, address)];
    return part !== undefined && address < part.to ? part.unit : undefined;
  }

  #readRanges(): { readonly from: Float64Array; readonly parts: readonly UnitPart[] } {
    const parts = this.units.flatMap((unit) => unit.root.ranges.map(({ from, to }) => ({ from, to, unit })));
    parts.sort((a, b) => a.from - b.from);
    return { from: Float64Array.from(parts, ({ from }) => from), parts };
  }
}

interface UnitPart {
  readonly from: number;
  readonly to: number;
  readonly unit: DebugUnit;
}
