import { OPTION } from './format.js';
import type { TraceDatTables } from './trace-dat-file.js';
import { WRITER } from './write.js';

/** Whether fentry wrote the file: then its names and records may have more than the kernel's. */
export function isFentrys({ options }: TraceDatTables): boolean {
  return options.get(OPTION.VERSION)?.[0]?.toString('latin1').startsWith(WRITER) ?? false;
}
