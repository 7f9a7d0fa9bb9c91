import { lastAtOrBefore } from '../../base/last-at-or-before.js';
import { type ElfFile, SECTION, SECTION_FLAG, SEGMENT, SEGMENT_FLAG } from '../elf/elf-file.js';
import { type FrameRange, frameRanges } from '../elf/frame-ranges.js';
import { type ElfSymbol, functionSymbols } from '../elf/symbols.js';
import { betterName, isPartName, namelessFunction } from './symbol-name.js';

/** A function of an object: its range of the file's addresses, which holds no other function's start. */
export interface ObjectFunction {
  readonly start: number;
  readonly end: number;
  /** Where the next function begins, or a part of one: what fills the space before it belongs to none. */
  readonly limit: number;
  /** The name as the object has it. */
  readonly name: string;
  /** The code only chooses the function that the name stands for. */
  readonly isIfunc: boolean;
}

/** A piece of code. */
export interface CodeRange {
  readonly start: number;
  readonly end: number;
}

export interface ObjectCode {
  readonly functions: readonly ObjectFunction[];
  /** All code, by address, each piece up to the next: functions, and parts of functions. */
  readonly ranges: readonly CodeRange[];
}

interface Known {
  name: string;
  /** The end of the function; the same as `start`: not known. */
  end: number;
  isIfunc: boolean;
}

/** Code that no compiler made a function of: stubs of the linker, and the pieces of _init and _fini. */
const NO_FUNCTIONS = /^\.(plt|init$|fini$)/;

/** The ranges of an object in which functions can lie, by address. */
function codeRanges(elf: ElfFile): CodeRange[] {
  const sections = elf.sections.filter(({ flags, type }) => flags & SECTION_FLAG.execute && type !== SECTION.nobits);
  const ranges =
    sections.length > 0
      ? sections
          .filter(({ name }) => !NO_FUNCTIONS.test(name))
          .map(({ address, size }) => ({ start: address, end: address + size }))
      : elf.segments
          .filter(({ type, flags }) => type === SEGMENT.load && flags & SEGMENT_FLAG.execute)
          .map(({ address, fileSize }) => ({ start: address, end: address + fileSize }));
  return ranges.sort((a, b) => a.start - b.start);
}

/** The symbols by address, and the starts of what is only a part of a function. */
function named(symbols: Iterable<ElfSymbol>): { functions: Map<number, Known>; parts: Set<number> } {
  const functions = new Map<number, Known>();
  const parts = new Set<number>();
  for (const { name, address, size, isIfunc } of symbols) {
    const known = functions.get(address);
    if (isPartName(name)) parts.add(address);
    // What chooses a function has a name of its own, unless that was stripped.
    else if (known === undefined || (known.isIfunc && !isIfunc)) functions.set(address, { name, end: address + size, isIfunc });
    else if (known.isIfunc === isIfunc) {
      known.name = betterName(known.name, name);
      known.end = Math.max(known.end, address + size);
    }
  }
  return { functions, parts };
}

/** Adds the ranges that can be unwound and have no name, and the ends that symbols do not tell. */
function addUnnamed(functions: Map<number, Known>, parts: Set<number>, frames: Iterable<FrameRange>): void {
  const starts = Float64Array.from(functions.keys()).sort();
  for (const { start, end, isPart } of frames) {
    const known = functions.get(start);
    if (known !== undefined && known.end === start) known.end = end;
    if (known !== undefined || parts.has(start)) continue;
    const inside = lastAtOrBefore(starts, end - 1);
    // Code by hand: it has a name in the middle, or several ranges under one name.
    if (inside >= 0 && (starts[inside]! >= start || functions.get(starts[inside]!)!.end > start)) continue;
    if (isPart) parts.add(start);
    else functions.set(start, { name: namelessFunction(start), end, isIfunc: false });
  }
}

/**
 * Reads the functions of an object, by address: those with symbols and, where it was stripped, those that can be unwound.
 * Parts that a compiler moved away from their function (`.cold`) are none: nothing calls them.
 *
 * @param symbols those of its debug file, if it has one
 */
export function objectCode(elf: ElfFile, symbols: Iterable<ElfSymbol> = functionSymbols(elf)): ObjectCode {
  const { functions: known, parts } = named(symbols);
  addUnnamed(known, parts, frameRanges(elf));
  const areas = codeRanges(elf);
  const areaStarts = areas.map(({ start }) => start);
  const bounds = Float64Array.from([...known.keys(), ...parts]).sort();
  const functions: ObjectFunction[] = [];
  const ranges: CodeRange[] = [];
  bounds.forEach((start, i) => {
    const area = areas[lastAtOrBefore(areaStarts, start)];
    if (area === undefined || start >= area.end) return;
    const limit = Math.min(bounds[i + 1] ?? area.end, area.end);
    ranges.push({ start, end: limit });
    const one = known.get(start);
    if (one === undefined) return;
    const end = one.end === start ? limit : Math.min(one.end, limit);
    functions.push({ start, end, limit, name: one.name, isIfunc: one.isIfunc });
  });
  return { functions, ranges };
}
