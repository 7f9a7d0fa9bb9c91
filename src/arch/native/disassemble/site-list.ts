import { hexAddress } from '../../../base/address.js';
import { shownBytes } from './instructions.js';
import type { ListedObject } from './listed-objects.js';

/**
 * The sites that a compiler left in an object, as recordmcount lists them in `__mcount_loc`: a line for each with its address
 * in the file, its place in its function, its bytes, and what it is.
 */
export function* siteLines({ text }: ListedObject): Generator<string> {
  for (const { name, start, end, site } of text.functions) {
    if (site === undefined || site.form === 'jump') continue;
    const offset = (site.address - text.base - start).toString(16);
    const bytes = shownBytes(text.machine, site.compiled);
    const table = site.table === undefined ? '' : ` (${site.table})`;
    yield `${hexAddress(site.address)} ${name}+0x${offset}/0x${(end - start).toString(16)}\t${bytes}\t${site.form}${table}`;
  }
}
