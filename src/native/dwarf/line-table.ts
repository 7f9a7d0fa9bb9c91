import { isAbsolute, join } from 'node:path';
import { TraceError } from '../../base/errno.js';
import { separateDebugFile } from '../elf/debug-files.js';
import { type ElfFile, openElf } from '../elf/elf-file.js';
import { DebugInfo } from './debug-info.js';
import { hasDebugSection } from './debug-section.js';
import { DebugSections } from './debug-sections.js';
import { DwarfReader, unlessDamaged } from './dwarf-reader.js';
import { type FormValue, formValue } from './forms.js';
import { AT } from './names.js';

/** Text from an address on comes from a line of a source file. */
export interface LineRow {
  /** The row's address, as the object's file has it. */
  readonly address: number;
  /** The file's path, which is absolute if the object says where it was compiled. */
  readonly file: string;
  /** From 1; 0: of no line. */
  readonly line: number;
  /** A statement begins there. */
  readonly isStatement: boolean;
}

/** Opcodes of line number programs (DWARF 5, section 6.2.5). */
const OP = {
  copy: 1,
  advancePc: 2,
  advanceLine: 3,
  setFile: 4,
  negateStatement: 6,
  constAddPc: 8,
  fixedAdvancePc: 9,
} as const;
const EXTENDED = { endSequence: 1, setAddress: 2 } as const;
/** Content of DWARF 5's lists of directories and files. */
const CONTENT = { path: 1, directory: 2 } as const;
/** What a unit's program needs of its header. */
interface Header {
  readonly minInstruction: number;
  readonly isStatement: boolean;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  /** How many numbers each standard opcode has. */
  readonly operands: readonly number[];
  /** By the number that the program names them by. */
  readonly files: readonly string[];
}

/** What a header needs of other places. */
interface Context {
  readonly sections: DebugSections;
  /** Where the unit was compiled, which its own table says only since DWARF 5; '': not known. */
  readonly compiledIn: string;
}

/**
 * The lines of the text from one address up to another, by address; one line only once in a row (DWARF 2 to 5).
 * @throws TraceError ENOENT when the object has no line table, ENOEXEC when that is damaged, EOPNOTSUPP when it cannot be read
 */
export function lineRows(elf: ElfFile, from: number, to: number): readonly LineRow[] {
  const sections = new DebugSections(withLines(elf));
  const section = sections.find('.debug_line');
  if (section === undefined)
    throw new TraceError(
      'ENOENT',
      `${elf.file} has no lines (.debug_line): it was compiled without -g, and no file with them is installed`,
    );
  if (elf.type === 'relocatable')
    throw new TraceError('EOPNOTSUPP', `${elf.file} is not linked: its lines have no addresses yet`);
  const found: LineRow[] = [];
  const reader = new DwarfReader(section);
  const folders = foldersOf(sections);
  try {
    while (reader.at < section.length) {
      const { unit, header } = openUnit(reader, { sections, compiledIn: folders.get(reader.at) ?? '' });
      runProgram(unit, header, (rows) => addRows(found, rows, from, to));
      reader.at = unit.bytes.length;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TraceError('ENOEXEC', `${elf.file}: .debug_line is damaged: ${error.message} at 0x${reader.at.toString(16)}`);
  }
  found.sort((a, b) => a.address - b.address);
  return found.filter(({ file, line }, i) => file !== found[i - 1]?.file || line !== found[i - 1]?.line);
}

/** The object itself, or the file that has its lines. */
function withLines(elf: ElfFile): ElfFile {
  const separate = hasDebugSection(elf, '.debug_line') ? undefined : separateDebugFile(elf);
  return separate === undefined ? elf : openElf(separate);
}

/** Where units were compiled, by the places of their tables. */
function foldersOf(sections: DebugSections): ReadonlyMap<number, string> {
  const bytes = sections.find('.debug_info');
  const units = bytes && unlessDamaged(() => new DebugInfo(sections, bytes, undefined).units);
  const folders = (units ?? []).flatMap(
    (unit) =>
      unlessDamaged(() => {
        const at = unit.lineTable;
        return at === undefined ? [] : [[at, unit.root.text(AT.compiledIn) ?? ''] as const];
      }) ?? [],
  );
  return new Map(folders);
}

/**
 * The files of one unit's table, by the numbers that it names them by. @param at where it begins in .debug_line @throws
 * RangeError
 */
export const unitFiles = (context: Context, at: number): readonly string[] =>
  openUnit(context.sections.reader('.debug_line', at), context).header.files;

/** The lines of one unit's text, by address: also those of which no code is left at theirs. @throws RangeError */
export function unitRows(context: Context, at: number): readonly LineRow[] {
  const { unit, header } = openUnit(context.sections.reader('.debug_line', at), context);
  const found: LineRow[] = [];
  runProgram(unit, header, (rows) => void found.push(...rows.slice(0, -1)));
  return found.sort((a, b) => a.address - b.address);
}

/** Reads the header of the unit at which a reader is. The program follows where `unit` is then. */
function openUnit(reader: DwarfReader, context: Context): { readonly unit: DwarfReader; readonly header: Header } {
  const { length, offsetBytes } = reader.length();
  const end = reader.at + length;
  if (end > reader.bytes.length) throw new RangeError('a unit that goes on behind the section');
  const unit = new DwarfReader(reader.bytes.subarray(0, end), reader.at);
  return { unit, header: headerOf(unit, offsetBytes, context) };
}

/** Adds of a sequence, whose last row is its end, what lies in a range. */
function addRows(found: LineRow[], rows: readonly LineRow[], from: number, to: number): void {
  for (let i = 0; i + 1 < rows.length; i++) {
    const row = rows[i]!;
    const end = rows[i + 1]!.address;
    if (row.address >= end || end <= from || row.address >= to) continue;
    found.push(row.address < from ? { ...row, address: from } : row);
  }
}

function headerOf(unit: DwarfReader, offsetBytes: 4 | 8, context: Context): Header {
  const version = unit.u16();
  if (version < 2 || version > 5) throw new RangeError(`version ${version}, which is none of 2 to 5,`);
  // Sizes of addresses and of segments' numbers.
  if (version >= 5) unit.skip(2);
  const length = unit.offset(offsetBytes);
  const program = unit.at + length;
  const minInstruction = unit.u8();
  // Operations in an instruction, which is 1 on the machines that are known.
  if (version >= 4) unit.skip(1);
  const isStatement = unit.u8() !== 0;
  const [lineBase, lineRange, opcodeBase] = [unit.i8(), unit.u8(), unit.u8()];
  if (lineRange === 0) throw new RangeError('no range of lines');
  const operands = Array.from({ length: Math.max(0, opcodeBase - 1) }, () => unit.u8());
  const files = version >= 5 ? filesOf5(unit, offsetBytes, context.sections) : filesOf4(unit, context.compiledIn);
  unit.at = program;
  return { minInstruction, isStatement, lineBase, lineRange, opcodeBase, operands, files };
}

/**
 * The path of a file: its folder counts from where the unit was compiled, which may itself be relative, to a folder that is not
 * known.
 */
function pathIn(compiledIn: string, directory: string, name: string): string {
  if (isAbsolute(name)) return join(name);
  return isAbsolute(directory) || directory === compiledIn ? join(directory, name) : join(compiledIn, directory, name);
}

/** Directory 0 is where the unit was compiled. */
function filesOf4(unit: DwarfReader, compiledIn: string): string[] {
  const directories = [compiledIn];
  for (let name = unit.text(); name !== ''; name = unit.text()) directories.push(name);
  const files = [''];
  for (let name = unit.text(); name !== ''; name = unit.text()) {
    const directory = directories[unit.uleb()] ?? '';
    unit.uleb();
    unit.uleb();
    files.push(pathIn(compiledIn, directory, name));
  }
  return files;
}

function filesOf5(unit: DwarfReader, offsetBytes: 4 | 8, sections: DebugSections): string[] {
  const entries = (): { path: string; directory: number }[] => {
    const formats = Array.from({ length: unit.u8() }, () => [unit.uleb(), unit.uleb()] as const);
    const count = unit.uleb();
    if (formats.length === 0 && count > 0) throw new RangeError('entries without a form');
    const found: { path: string; directory: number }[] = [];
    while (found.length < count) {
      const one = { path: '', directory: 0 };
      for (const [content, form] of formats) {
        const value = formValue(unit, form, offsetBytes);
        if (content === CONTENT.path) one.path = textOf(value, sections);
        if (content === CONTENT.directory && value.kind === 'number') one.directory = value.number;
      }
      found.push(one);
    }
    return found;
  };
  const directories = entries().map(({ path }) => path);
  return entries().map(({ path, directory }) => pathIn(directories[0] ?? '', directories[directory] ?? '', path));
}

function textOf(value: FormValue, sections: DebugSections): string {
  if (value.kind === 'text at') return sections.text(value.section, value.offset);
  return value.kind === 'text' ? value.text : '';
}

/** Runs a unit's program: each sequence of rows ends with one that says where its text ends. */
function runProgram(unit: DwarfReader, header: Header, sequence: (rows: readonly LineRow[]) => void): void {
  const { minInstruction, lineBase, lineRange, opcodeBase, operands, files } = header;
  const start = { address: 0, file: 1, line: 1, isStatement: header.isStatement };
  let state = { ...start };
  let rows: LineRow[] = [];
  const add = (): void => void rows.push({ ...state, file: files[state.file] ?? '' });
  const advance = (opcode: number): void => {
    state.address += Math.floor((opcode - opcodeBase) / lineRange) * minInstruction;
  };
  const extended = (): void => {
    const length = unit.uleb();
    const next = unit.at + length;
    const opcode = length === 0 ? 0 : unit.u8();
    if (opcode === EXTENDED.setAddress) state.address = unit.u64();
    else if (opcode === EXTENDED.endSequence) {
      add();
      sequence(rows);
      rows = [];
      state = { ...start };
    }
    unit.at = next;
  };
  while (unit.at < unit.bytes.length) {
    const opcode = unit.u8();
    if (opcode >= opcodeBase) {
      advance(opcode);
      state.line += lineBase + ((opcode - opcodeBase) % lineRange);
      add();
    } else if (opcode === 0) extended();
    else if (opcode === OP.copy) add();
    else if (opcode === OP.advancePc) state.address += unit.uleb() * minInstruction;
    else if (opcode === OP.advanceLine) state.line += unit.sleb();
    else if (opcode === OP.setFile) state.file = unit.uleb();
    else if (opcode === OP.negateStatement) state.isStatement = !state.isStatement;
    else if (opcode === OP.constAddPc) advance(255);
    else if (opcode === OP.fixedAdvancePc) state.address += unit.u16();
    else for (let i = operands[opcode - 1] ?? 0; i > 0; i--) unit.uleb();
  }
}
