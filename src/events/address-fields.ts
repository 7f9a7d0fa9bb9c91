import type { EventField, EventFormat } from './ftrace-events.js';

/** What the kernel's events declare addresses of text as; numbers have another type. */
const ADDRESS_TYPE = 'unsigned long';

/** The fields of an event that hold addresses of functions: 8 bytes each, or an array of them that runs to the record's end. */
export const addressFields = ({ fields }: EventFormat): readonly EventField[] =>
  Object.values(fields).filter(({ type }) => type === ADDRESS_TYPE);
