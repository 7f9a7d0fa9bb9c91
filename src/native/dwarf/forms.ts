import type { DwarfReader } from './dwarf-reader.js';

/** Sections of texts. */
export type TextSection = '.debug_str' | '.debug_line_str';

/**
 * A value of an attribute as its form has it (DWARF 5, section 7.5.5). What is an index or an offset is looked up in the unit
 * (debug-unit.ts).
 */
export type FormValue =
  | { readonly kind: 'address'; readonly address: number }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'text at'; readonly section: TextSection; readonly offset: number }
  /** A text of the file that several objects share. */
  | { readonly kind: 'supplementary text'; readonly offset: number }
  | { readonly kind: 'block'; readonly bytes: Buffer }
  /** An entry: from the start of its unit, or of .debug_info, or of that of the supplementary file. */
  | { readonly kind: 'entry'; readonly offset: number; readonly from: 'unit' | 'section' | 'supplement' }
  /** The type of this signature. */
  | { readonly kind: 'type'; readonly signature: number }
  /** An offset in a section that the attribute names. */
  | { readonly kind: 'offset'; readonly offset: number }
  | { readonly kind: 'index'; readonly index: number; readonly of: 'texts' | 'addresses' | 'locations' | 'ranges' };

type ReadForm = (reader: DwarfReader, offsetBytes: 4 | 8) => FormValue;
type ReadNumber = (reader: DwarfReader, offsetBytes: 4 | 8) => number;

const u8: ReadNumber = (reader) => reader.u8();
const u16: ReadNumber = (reader) => reader.u16();
const u24: ReadNumber = (reader) => reader.bytes.readUIntLE(reader.skip(3), 3);
const u32: ReadNumber = (reader) => reader.u32();
const u64: ReadNumber = (reader) => reader.u64();
const uleb: ReadNumber = (reader) => reader.uleb();
const sleb: ReadNumber = (reader) => reader.sleb();
const offset: ReadNumber = (reader, bytes) => reader.offset(bytes);

const number =
  (read: ReadNumber): ReadForm =>
  (reader, bytes) => ({ kind: 'number', number: read(reader, bytes) });
const block =
  (read: ReadNumber): ReadForm =>
  (reader, bytes) => {
    const length = read(reader, bytes);
    const from = reader.skip(length);
    return { kind: 'block', bytes: reader.bytes.subarray(from, from + length) };
  };
const entry =
  (read: ReadNumber, from: 'unit' | 'section' | 'supplement' = 'unit'): ReadForm =>
  (reader, bytes) => ({ kind: 'entry', offset: read(reader, bytes), from });
const index =
  (of: 'texts' | 'addresses' | 'locations' | 'ranges', read: ReadNumber): ReadForm =>
  (reader, bytes) => ({ kind: 'index', index: read(reader, bytes), of });
const textAt =
  (section: TextSection): ReadForm =>
  (reader, bytes) => ({ kind: 'text at', section, offset: reader.offset(bytes) });
const supplementaryText: ReadForm = (reader, bytes) => ({ kind: 'supplementary text', offset: reader.offset(bytes) });

/** DW_FORM_implicit_const: its value stands with the attribute (abbreviations.ts). */
export const IMPLICIT_CONSTANT = 0x21;
const INDIRECT = 0x16;

/** How the value of each form is read (DW_FORM_addr to DW_FORM_addrx4, and GNU's two for supplementary files). */
const FORMS: Readonly<Record<number, ReadForm>> = {
  1: (reader) => ({ kind: 'address', address: reader.u64() }),
  3: block(u16),
  4: block(u32),
  5: number(u16),
  6: number(u32),
  7: number(u64),
  8: (reader) => ({ kind: 'text', text: reader.text() }),
  9: block(uleb),
  10: block(u8),
  11: number(u8),
  12: number(u8),
  13: number(sleb),
  14: textAt('.debug_str'),
  15: number(uleb),
  16: entry(offset, 'section'),
  17: entry(u8),
  18: entry(u16),
  19: entry(u32),
  20: entry(u64),
  21: entry(uleb),
  [INDIRECT]: (reader, bytes) => formValue(reader, reader.uleb(), bytes),
  23: (reader, bytes) => ({ kind: 'offset', offset: reader.offset(bytes) }),
  24: block(uleb),
  25: number(() => 1),
  26: index('texts', uleb),
  27: index('addresses', uleb),
  28: entry(u32, 'supplement'),
  29: supplementaryText,
  30: block(() => 16),
  31: textAt('.debug_line_str'),
  32: (reader) => ({ kind: 'type', signature: reader.u64() }),
  34: index('locations', uleb),
  35: index('ranges', uleb),
  36: entry(u64, 'supplement'),
  37: index('texts', u8),
  38: index('texts', u16),
  39: index('texts', u24),
  40: index('texts', u32),
  41: index('addresses', u8),
  42: index('addresses', u16),
  43: index('addresses', u24),
  44: index('addresses', u32),
  7968: entry(offset, 'supplement'),
  7969: supplementaryText,
};

/** Reads a value. @throws RangeError for a form that is not known, or behind the end of the section */
export function formValue(reader: DwarfReader, form: number, offsetBytes: 4 | 8): FormValue {
  const read = FORMS[form];
  if (read === undefined) throw new RangeError(`form 0x${form.toString(16)}, which is not known,`);
  return read(reader, offsetBytes);
}
