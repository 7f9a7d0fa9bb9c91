import { TraceError } from '../../base/errno.js';
import { isEndOf } from '../../base/is-end-of.js';
import { lastAtOrBefore } from '../../base/last-at-or-before.js';
import { separateDebugFile, supplementaryFile, supplementaryName } from '../elf/debug-files.js';
import { type ElfFile, openElf } from '../elf/elf-file.js';
import { frameSearch } from '../elf/frame-search.js';
import { MACHINES } from '../machines/machines.js';
import { CallFrames } from './call-frame.js';
import type { DebugAbi } from './debug-abi.js';
import type { DebugEntry } from './debug-entry.js';
import { copiesIn, copyStart, DebugFunction } from './debug-function.js';
import { DebugInfo } from './debug-info.js';
import { hasDebugSection } from './debug-section.js';
import { DebugSections } from './debug-sections.js';
import type { DebugUnit } from './debug-unit.js';
import { type LineRow, unitFiles, unitRows } from './line-table.js';
import { HOLDERS } from './module-variables.js';
import { AT, TAG } from './names.js';

/** A function that has code of its own in a unit. */
interface UnitFunction {
  readonly entry: DebugEntry;
  readonly ranges: DebugEntry['ranges'];
}

/** A line with the function, or the copy of one, that has it. */
export interface OwnedRow extends LineRow {
  readonly owner: DebugEntry;
}

/** A copy of a function in another one. */
interface InlinedCopy {
  readonly entry: DebugEntry;
  readonly origin: DebugEntry | undefined;
  /** The function in whose code the copy is. */
  readonly in: DebugFunction;
}

/** A function that is at an address, and where in it that is. */
export interface PlacedCall {
  /** The name that the compiler has given to the linker; undefined: none. */
  readonly name: string | undefined;
  /** Undefined: it is not known. */
  readonly place: { readonly file: string; readonly line: number } | undefined;
}

const isAmong = (address: number, ranges: DebugEntry['ranges']): boolean =>
  ranges.some(({ from, to }) => address >= from && address < to);

/** The debug information of an object, in its file or in a separate one. Units are read when something of them is asked for. */
export class ObjectDebug {
  readonly info: DebugInfo;
  readonly frames: CallFrames;
  readonly abi: DebugAbi;
  readonly #functions = new Map<DebugUnit, readonly UnitFunction[]>();
  readonly #rows = new Map<DebugUnit, readonly LineRow[]>();
  readonly #files = new Map<DebugUnit, readonly string[]>();
  #inlined: ReadonlyMap<string, readonly InlinedCopy[]> | undefined;

  /** @throws TraceError ENOENT: the object has none; ENOEXEC: it is damaged; EOPNOTSUPP: it cannot be read */
  constructor(elf: ElfFile) {
    const separate = hasDebugSection(elf, '.debug_info') ? undefined : separateDebugFile(elf);
    const file = separate ?? elf.file;
    const found = separate === undefined ? elf : openElf(separate);
    const sections = new DebugSections(found);
    const bytes = sections.find('.debug_info');
    if (bytes === undefined)
      throw new TraceError(
        'ENOENT',
        `${elf.file} has no debug information: it was compiled without -g, and no file with it is installed`,
      );
    const shared = supplementaryName(found);
    this.info = new DebugInfo(sections, bytes, shared === undefined ? undefined : supplement(shared, file));
    this.frames = new CallFrames(frameSearch(elf));
    this.abi = MACHINES[elf.machine].debug;
  }

  /** The function whose code is at an address of the object's file. */
  functionAt(address: number, symbol: string): DebugFunction | undefined {
    const unit = this.info.unitAt(address);
    if (unit === undefined) return undefined;
    if (unit.header.isSkeleton)
      throw new TraceError('EOPNOTSUPP', `the debug information of ${symbol} is in another file (.dwo)`);
    const found = this.#functionsOf(unit).find(({ ranges }) => ranges.some(({ from, to }) => address >= from && address < to));
    return found && new DebugFunction(found.entry, symbol, this.abi);
  }

  /**
   * The functions whose code is at an address, those that were inlined first, and the last one the function itself; each with
   * the line that is there, or that calls the one before.
   */
  callsAt(address: number): readonly PlacedCall[] {
    const unit = this.info.unitAt(address);
    const found = unit && this.#functionsOf(unit).find(({ ranges }) => isAmong(address, ranges));
    if (unit === undefined || found === undefined) return [];
    const rows = this.#rowsOf(unit).filter((row) => isAmong(row.address, found.ranges) && row.line > 0);
    const row =
      rows[
        lastAtOrBefore(
          rows.map((one) => one.address),
          address,
        )
      ];
    let place = row && { file: row.file, line: row.line };
    const copies = new DebugFunction(found.entry, '', this.abi).inlined.filter((copy) => copy.covers(address));
    return [found.entry, ...copies].reverse().map((entry) => {
      const linked = entry.with(AT.linkageName)?.text(AT.linkageName) ?? entry.name;
      const call = { name: linked, place };
      const file = this.fileOf(entry, entry.number(AT.callFile) ?? -1);
      const line = entry.number(AT.callLine);
      place = file === undefined || line === undefined ? undefined : { file, line };
      return call;
    });
  }

  /** The file that an entry's unit names by a number. */
  fileOf(entry: DebugEntry, number: number): string | undefined {
    return this.#filesOf(this.#unitOf(entry))[number];
  }

  /** The whole path of a file from which something was compiled. */
  fileNamed(path: string): string | undefined {
    for (const unit of this.info.units) {
      const file = this.#filesOf(unit).find((one) => isEndOf(path, one));
      if (file !== undefined) return file;
    }
    return undefined;
  }

  /** The rows of a file, by address in each unit. */
  rowsOfFile(path: string): readonly OwnedRow[] {
    const units = this.info.units.filter((unit) => this.#filesOf(unit).some((file) => isEndOf(path, file)));
    return units
      .flatMap((unit) =>
        this.#functionsOf(unit).flatMap(({ entry }) => this.rowsOf(new DebugFunction(entry, '', this.abi), true)),
      )
      .filter(({ file }) => isEndOf(path, file));
  }

  /**
   * The rows of statements of a function, by address. Code of another function that was inlined is that function's, but where it
   * begins the line that calls it has its place (die_walk_lines of perf).
   * @param withCopies the rows of functions that were inlined, too
   */
  rowsOf(one: DebugFunction, withCopies = false): readonly OwnedRow[] {
    const { entry } = one;
    const { ranges } = entry;
    const unit = this.#unitOf(entry);
    const isIn = (address: number): boolean => ranges.some(({ from, to }) => address >= from && address < to);
    const rows = this.#rowsOf(unit).filter(({ isStatement, line, address }) => isStatement && line > 0 && isIn(address));
    const owned = rows.flatMap((row) => this.#owned(one, row));
    const calls = [one.entry, ...one.inlined].flatMap((owner) => copiesIn(owner).flatMap((copy) => this.#call(owner, copy)));
    const found = [...owned, ...calls].sort((a, b) => a.address - b.address);
    return withCopies ? found : found.filter(({ owner }) => owner === entry);
  }

  /** A row with the function or the copy whose line it is. */
  #owned(one: DebugFunction, row: LineRow): readonly OwnedRow[] {
    const copy = one.inlined.findLast((other) => other.covers(row.address));
    if (copy === undefined) return [{ ...row, owner: one.entry }];
    const isCall = copy.number(AT.callLine) === row.line && this.fileOf(copy, copy.number(AT.callFile) ?? -1) === row.file;
    // That of the call is found by itself.
    return isCall ? [] : [{ ...row, owner: copy }];
  }

  #call(owner: DebugEntry, copy: DebugEntry): readonly OwnedRow[] {
    const address = copyStart(copy);
    const file = this.fileOf(copy, copy.number(AT.callFile) ?? -1);
    const line = copy.number(AT.callLine);
    return address === undefined || file === undefined || line === undefined
      ? []
      : [{ address, file, line, isStatement: true, owner }];
  }

  /**
   * The copies of functions of a name that were inlined.
   * @param named gives the names that functions have as symbols, of those that the compiler has given them
   */
  inlined(name: string, named: (linked: readonly string[]) => readonly string[]): readonly InlinedCopy[] {
    if (!this.#mentions(name)) return [];
    this.#inlined ??= this.#readInlined(named);
    return this.#inlined.get(name) ?? [];
  }

  #readInlined(named: (linked: readonly string[]) => readonly string[]): ReadonlyMap<string, readonly InlinedCopy[]> {
    const copies = new Map<string, InlinedCopy[]>();
    for (const unit of this.info.units) {
      for (const { entry } of this.#functionsOf(unit)) {
        const holder = new DebugFunction(entry, '', this.abi);
        for (const copy of holder.inlined) {
          const linked = copy.with(AT.linkageName)?.text(AT.linkageName) ?? copy.name ?? '';
          const one = { entry: copy, origin: copy.entry(AT.abstractOrigin), in: holder };
          const others = copies.get(linked);
          if (others === undefined) copies.set(linked, [one]);
          else others.push(one);
        }
      }
    }
    const found = new Map<string, readonly InlinedCopy[]>();
    const linked = [...copies.keys()];
    // Overloaded functions have one name.
    for (const [i, name] of named(linked).entries()) found.set(name, [...(found.get(name) ?? []), ...copies.get(linked[i]!)!]);
    return found;
  }

  #unitOf({ unit: { offset } }: DebugEntry): DebugUnit {
    return this.info.units.find((unit) => unit.offset === offset) ?? this.info.units[0]!;
  }

  /** Whether something may have a name, of which the last word is enough for that: looking for it is quick. */
  #mentions(name: string): boolean {
    const word = /(\w+)\W*$/.exec(name.replace(/<.*>/, ''))?.[1] ?? name;
    // Arguments of templates, and what makes an operator, are written in another way in debug information.
    const text = Buffer.from(/<|operator/.test(name) ? word : `${word}\0`);
    const { sections, bytes, supplement } = this.info;
    return [bytes, sections.find('.debug_str'), supplement?.sections.find('.debug_str')].some((texts) => texts?.includes(text));
  }

  #functionsOf(unit: DebugUnit): readonly UnitFunction[] {
    let functions = this.#functions.get(unit);
    if (functions === undefined) {
      const found: UnitFunction[] = [];
      const look = (entry: DebugEntry): void => {
        for (const child of entry.children) {
          if (HOLDERS.includes(child.tag)) look(child);
          if (child.tag !== TAG.subprogram) continue;
          const { ranges } = child;
          if (ranges.length > 0) found.push({ entry: child, ranges });
        }
      };
      look(unit.root);
      functions = found;
      this.#functions.set(unit, functions);
    }
    return functions;
  }

  #rowsOf(unit: DebugUnit): readonly LineRow[] {
    let rows = this.#rows.get(unit);
    if (rows === undefined) {
      const at = unit.lineTable;
      rows = at === undefined ? [] : unitRows(this.#context(unit), at);
      this.#rows.set(unit, rows);
    }
    return rows;
  }

  #filesOf(unit: DebugUnit): readonly string[] {
    let files = this.#files.get(unit);
    if (files === undefined) {
      const at = unit.lineTable;
      files = at === undefined ? [] : unitFiles(this.#context(unit), at);
      this.#files.set(unit, files);
    }
    return files;
  }

  #context(unit: DebugUnit): Parameters<typeof unitRows>[0] {
    return { sections: this.info.sections, compiledIn: unit.root.text(AT.compiledIn) ?? '' };
  }
}

/** What objects share. @param file that of one that shares it */
function supplement(name: string, file: string): DebugInfo {
  const path = supplementaryFile(name, file);
  if (path === undefined)
    throw new TraceError('ENOENT', `${file} has a part of its debug information in ${name}, which is not there`);
  const sections = new DebugSections(openElf(path));
  return new DebugInfo(sections, sections.find('.debug_info') ?? Buffer.alloc(0), undefined);
}
