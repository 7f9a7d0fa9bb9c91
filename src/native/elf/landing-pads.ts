import { attempt } from '../../base/attempt.js';
import { DwarfReader } from '../dwarf/dwarf-reader.js';
import type { ElfFile } from './elf-file.js';
import { frameRanges } from './frame-ranges.js';

/** DW_EH_PE: how a number of a table of calls is written. */
const READERS: Readonly<Record<number, (reader: DwarfReader) => number>> = {
  1: (reader) => reader.uleb(),
  2: (reader) => reader.u16(),
  3: (reader) => reader.u32(),
  4: (reader) => reader.u64(),
};
const FORMAT = 7;
const OMITTED = 0xff;

/**
 * The addresses at which functions go on after an exception, as the tables of their calls say (.gcc_except_table). What cannot be
 * read is left out.
 */
export function* landingPads(elf: ElfFile): Generator<number> {
  const section = elf.section('.gcc_except_table');
  if (section === undefined) return;
  const tables = elf.contents(section);
  for (const { start, calls } of frameRanges(elf)) {
    const at = calls === undefined ? -1 : calls - section.address;
    if (at < 0 || at >= tables.length) continue;
    for (const pad of attempt(() => padsAt(tables, at)) ?? []) yield start + pad;
  }
}

/**
 * Offsets from the function's start. Those of a table that counts from elsewhere are left out: no compiler writes it for code of
 * one piece.
 */
function padsAt(tables: Buffer, at: number): readonly number[] {
  const reader = new DwarfReader(tables, at);
  if (reader.u8() !== OMITTED) return [];
  if (reader.u8() !== OMITTED) reader.uleb();
  const read = READERS[reader.u8() & FORMAT];
  if (read === undefined) return [];
  const length = reader.uleb();
  const end = reader.at + length;
  const pads: number[] = [];
  while (reader.at < end) {
    read(reader);
    read(reader);
    const pad = read(reader);
    if (pad !== 0) pads.push(pad);
    reader.uleb();
  }
  return pads;
}
