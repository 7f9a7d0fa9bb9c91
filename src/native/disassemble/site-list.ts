import { hexAddress } from '../../base/address.js';
import { MACHINES } from '../machines/machines.js';
import type { ListedObject } from './listed-objects.js';

/**
 * The sites that a compiler left in an object, as recordmcount lists them in `__mcount_loc`: a line for each with its address
 * in the file, its place in its function, its bytes, and what it is.
 */
export function* siteLines({ text }: ListedObject): Generator<string> {
  for (const { name, start, end, site } of text.functions) {
    if (site === undefined || site.form === 'jump') continue;
    const offset = (site.address - text.base - start).toString(16);
    const bytes = MACHINES[text.machine].listing.shownBytes(site.compiled);
    const table = site.table === undefined ? '' : ` (${site.table})`;
    yield `${hexAddress(site.address)} ${name}+0x${offset}/0x${(end - start).toString(16)}\t${bytes}\t${site.form}${table}`;
  }
}

/**
 * The functions of an object that cannot be traced: a line for each with its address in the file, its name and length, and the
 * reason. The last line counts them, and those that have a site of the compiler, and those in which a jump fits.
 */
export function* lackLines({ text }: ListedObject): Generator<string> {
  let [compiled, jumps] = [0, 0];
  const { functions, base } = text;
  for (const { name, start, end, site, reason } of functions) {
    if (site !== undefined) {
      if (site.form === 'jump') jumps++;
      else compiled++;
      continue;
    }
    yield `${hexAddress(base + start)} ${name}/0x${(end - start).toString(16)}\t${reason}`;
  }
  const share = (count: number): string => `${count} (${((100 * count) / Math.max(1, functions.length)).toFixed(2)} %)`;
  const without = functions.length - compiled - jumps;
  yield `# ${functions.length} functions: ${share(compiled)} with a site of the compiler, ${share(jumps)} in which a jump fits, ${share(without)} with neither`;
}
