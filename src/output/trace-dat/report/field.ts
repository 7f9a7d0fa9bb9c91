import type { ParsedFormat } from '../../../events/format-parse.js';

/** Where a field stands in its record, in 32-bit words. Throws an Error when the event has no such field there. */
export function fieldWord(format: ParsedFormat, name: string): number {
  const field = format.fields.get(name);
  if (field === undefined) throw new Error(`event ${format.name} has no field ${name}`);
  if (field.offset % 4 !== 0)
    throw new Error(`field ${name} of event ${format.name} stands at byte ${field.offset}, between words`);
  return field.offset / 4;
}
