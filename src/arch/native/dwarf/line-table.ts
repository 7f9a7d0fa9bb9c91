import { resolve } from 'node:path';
import { TraceError } from '../../../base/errno.js';
import type { ElfFile } from '../elf/elf-file.js';
import { debugSection } from './debug-section.js';
import { DwarfReader } from './dwarf-reader.js';

/** Text from an address on comes from a line of a source file. */
export interface LineRow {
  /** As the object's file has it. */
  readonly address: number;
  /** Its path, which is absolute if the object says where it was compiled. */
  readonly file: string;
  /** From 1; 0: of no line. */
  readonly line: number;
}

/** Opcodes of line number programs (DWARF 5, section 6.2.5). */
const OP = {
  copy: 1,
  advancePc: 2,
  advanceLine: 3,
  setFile: 4,
  constAddPc: 8,
  fixedAdvancePc: 9,
} as const;
const EXTENDED = { endSequence: 1, setAddress: 2 } as const;
/** Content of DWARF 5's lists of directories and files. */
const CONTENT = { path: 1, directory: 2 } as const;
const FORM = {
  data2: 0x05,
  data4: 0x06,
  data8: 0x07,
  string: 0x08,
  block: 0x09,
  data1: 0x0b,
  strp: 0x0e,
  udata: 0x0f,
  data16: 0x1e,
  lineStrp: 0x1f,
} as const;

/** What a unit's program needs of its header. */
interface Header {
  readonly minInstruction: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  /** How many numbers each standard opcode has. */
  readonly operands: readonly number[];
  /** By the number that the program names them by. */
  readonly files: readonly string[];
}

type Texts = (form: number, offset: number) => string;

/**
 * The lines of the text from one address up to another, by address; one line only once in a row (DWARF 2 to 5).
 * @throws TraceError ENOENT when the object has no line table, ENOEXEC when that is damaged, EOPNOTSUPP when it cannot be read
 */
export function lineRows(elf: ElfFile, from: number, to: number): readonly LineRow[] {
  const section = debugSection(elf, '.debug_line');
  if (section === undefined) throw new TraceError('ENOENT', `${elf.file} has no lines (.debug_line): it was compiled without -g`);
  if (elf.type === 'relocatable')
    throw new TraceError('EOPNOTSUPP', `${elf.file} is not linked: its lines have no addresses yet`);
  const sections = new Map<number, Buffer>();
  const texts: Texts = (form, offset) => {
    // A compressed section is uncompressed once for all of its texts.
    const strings =
      sections.get(form) ?? debugSection(elf, form === FORM.strp ? '.debug_str' : '.debug_line_str') ?? Buffer.alloc(0);
    sections.set(form, strings);
    return new DwarfReader(strings, offset).text();
  };
  const found: LineRow[] = [];
  const reader = new DwarfReader(section);
  try {
    while (reader.at < section.length) {
      const { length, offsetBytes } = reader.length();
      const end = reader.at + length;
      if (end > section.length) throw new RangeError('a unit that goes on behind the section');
      const unit = new DwarfReader(section.subarray(0, end), reader.at);
      runProgram(unit, headerOf(unit, offsetBytes, texts), (rows) => addRows(found, rows, from, to));
      reader.at = end;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TraceError('ENOEXEC', `${elf.file}: .debug_line is damaged: ${error.message} at 0x${reader.at.toString(16)}`);
  }
  found.sort((a, b) => a.address - b.address);
  return found.filter(({ file, line }, i) => file !== found[i - 1]?.file || line !== found[i - 1]?.line);
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

function headerOf(unit: DwarfReader, offsetBytes: 4 | 8, texts: Texts): Header {
  const version = unit.u16();
  if (version < 2 || version > 5) throw new RangeError(`version ${version}, which is none of 2 to 5,`);
  // Sizes of addresses and of segments' numbers.
  if (version >= 5) unit.skip(2);
  const length = unit.offset(offsetBytes);
  const program = unit.at + length;
  const minInstruction = unit.u8();
  // Operations in an instruction, which is 1 on the machines that are known.
  if (version >= 4) unit.skip(1);
  // Whether rows begin statements: all of them count here.
  unit.skip(1);
  const [lineBase, lineRange, opcodeBase] = [unit.i8(), unit.u8(), unit.u8()];
  if (lineRange === 0) throw new RangeError('no range of lines');
  const operands = Array.from({ length: Math.max(0, opcodeBase - 1) }, () => unit.u8());
  const files = version >= 5 ? filesOf5(unit, offsetBytes, texts) : filesOf4(unit);
  unit.at = program;
  return { minInstruction, lineBase, lineRange, opcodeBase, operands, files };
}

/** Directory 0 is where the unit was compiled, which only .debug_info says. */
function filesOf4(unit: DwarfReader): string[] {
  const directories = [''];
  for (let name = unit.text(); name !== ''; name = unit.text()) directories.push(name);
  const files = [''];
  for (let name = unit.text(); name !== ''; name = unit.text()) {
    const directory = directories[unit.uleb()] ?? '';
    unit.uleb();
    unit.uleb();
    files.push(directory === '' || name.startsWith('/') ? name : `${directory}/${name}`);
  }
  return files;
}

function filesOf5(unit: DwarfReader, offsetBytes: 4 | 8, texts: Texts): string[] {
  const entries = (): { path: string; directory: number }[] => {
    const formats = Array.from({ length: unit.u8() }, () => [unit.uleb(), unit.uleb()] as const);
    const count = unit.uleb();
    if (formats.length === 0 && count > 0) throw new RangeError('entries without a form');
    const found: { path: string; directory: number }[] = [];
    while (found.length < count) {
      const one = { path: '', directory: 0 };
      for (const [content, form] of formats) {
        const value = formValue(unit, form, offsetBytes, texts);
        if (content === CONTENT.path) one.path = String(value);
        if (content === CONTENT.directory) one.directory = Number(value);
      }
      found.push(one);
    }
    return found;
  };
  const directories = entries().map(({ path }) => path);
  return entries().map(({ path, directory }) => resolve(directories[0] ?? '/', directories[directory] ?? '', path));
}

function formValue(unit: DwarfReader, form: number, offsetBytes: 4 | 8, texts: Texts): string | number {
  switch (form) {
    case FORM.string:
      return unit.text();
    case FORM.strp:
    case FORM.lineStrp:
      return texts(form, unit.offset(offsetBytes));
    case FORM.udata:
      return unit.uleb();
    case FORM.data1:
      return unit.u8();
    case FORM.data2:
      return unit.u16();
    case FORM.data4:
      return unit.u32();
    case FORM.data8:
      return unit.u64();
    case FORM.data16:
      return unit.skip(16);
    case FORM.block:
      return unit.skip(unit.uleb());
    default:
      throw new RangeError(`form 0x${form.toString(16)}, which is not known,`);
  }
}

/** Runs a unit's program: each sequence of rows ends with one that says where its text ends. */
function runProgram(unit: DwarfReader, header: Header, sequence: (rows: readonly LineRow[]) => void): void {
  const { minInstruction, lineBase, lineRange, opcodeBase, operands, files } = header;
  const start = { address: 0, file: 1, line: 1 };
  let state = { ...start };
  let rows: LineRow[] = [];
  const add = (): void => void rows.push({ address: state.address, file: files[state.file] ?? '', line: state.line });
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
    else if (opcode === OP.constAddPc) advance(255);
    else if (opcode === OP.fixedAdvancePc) state.address += unit.u16();
    else for (let i = operands[opcode - 1] ?? 0; i > 0; i--) unit.uleb();
  }
}
