import { readFileSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { attempt } from '../../base/attempt.js';
import { lineRows } from '../dwarf/line-table.js';
import type { ElfFile } from '../elf/elf-file.js';

/**
 * What stands before instructions of a function: the line that they come from, `shop.c:42`, and its text where the file can be
 * read. By address in the object's file.
 * @throws TraceError as lineRows()
 */
export function sourceHeads(elf: ElfFile, from: number, to: number): ReadonlyMap<number, string> {
  const sources = new Map<string, readonly string[]>();
  const linesOf = (file: string): readonly string[] => {
    const known = sources.get(file) ?? ((isAbsolute(file) && attempt(() => readFileSync(file, 'utf8').split('\n'))) || []);
    sources.set(file, known);
    return known;
  };
  const heads = lineRows(elf, from, to).flatMap(({ address, file, line }) =>
    line === 0 ? [] : [[address, `${basename(file)}:${line}  ${linesOf(file)[line - 1] ?? ''}`.trimEnd()] as const],
  );
  return new Map(heads);
}
