import type { DwarfReader } from './dwarf-reader.js';
import { type FormValue, formValue, IMPLICIT_CONSTANT } from './forms.js';

interface Attribute {
  readonly name: number;
  readonly form: number;
  /** The value of DW_FORM_implicit_const. */
  readonly constant: number;
}

/** What entries of one code have: their tag, and the attributes that follow the code. */
export interface Abbreviation {
  readonly tag: number;
  readonly hasChildren: boolean;
  readonly attributes: readonly Attribute[];
}

/** Reads a unit's table of abbreviations, by their codes (DWARF 5, section 7.5.3). @throws RangeError */
export function readAbbreviations(reader: DwarfReader): ReadonlyMap<number, Abbreviation> {
  const found = new Map<number, Abbreviation>();
  for (let code = reader.uleb(); code !== 0; code = reader.uleb()) {
    const tag = reader.uleb();
    const hasChildren = reader.u8() !== 0;
    const attributes: Attribute[] = [];
    for (;;) {
      const [name, form] = [reader.uleb(), reader.uleb()];
      const constant = form === IMPLICIT_CONSTANT ? reader.sleb() : 0;
      if (name === 0 && form === 0) break;
      attributes.push({ name, form, constant });
    }
    found.set(code, { tag, hasChildren, attributes });
  }
  return found;
}

/** The value of an attribute where a reader is. */
export const attributeValue = (reader: DwarfReader, { form, constant }: Attribute, offsetBytes: 4 | 8): FormValue =>
  form === IMPLICIT_CONSTANT ? { kind: 'number', number: constant } : formValue(reader, form, offsetBytes);
