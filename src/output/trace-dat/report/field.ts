import type { EventFormat } from '../../../events/define.js';

/** The offset of a field in its record, in 32-bit words. Throws an Error if the event has no such field at a word. */
export function fieldWord(format: EventFormat, name: string): number {
  const field = format.fields[name];
  if (field === undefined) throw new Error(`event ${format.name} has no field ${name}`);
  if (field.offset % 4 !== 0)
    throw new Error(`field ${name} of event ${format.name} stands at byte ${field.offset}, between words`);
  return field.offset / 4;
}
