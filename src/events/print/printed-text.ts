import type { EventFormat } from '../define.js';
import { elementsOf, type FieldAccess, fieldAccess, type RecordBytes, textAt } from '../read-fields.js';
import { compileFormat } from './conversions.js';
import { parsePrint } from './parse-print.js';
import type { PrintDialect } from './values.js';

type TextOf = (record: RecordBytes) => string;
type Printed = Pick<EventFormat, 'fields' | 'print'>;

/** Makes the text of an event's records from its print format. Throws an Error that says what of it is not understood. */
export function compilePrint(event: Printed, dialect: PrintDialect): TextOf {
  const { format, args } = parsePrint(event, dialect);
  return compileFormat(format, args, dialect);
}

function fieldText({ number, array }: FieldAccess, record: RecordBytes): string {
  if (array === undefined) return String(number(record));
  return array.isText ? textAt(record, array.range(record)) : elementsOf(record, array).join(',');
}

/** Each field with its value. */
function fieldsText({ fields }: Printed): TextOf {
  const accesses = Object.entries(fields).map(([name, field]) => [name, fieldAccess(field)] as const);
  return (record) => accesses.map(([name, access]) => `${name}=${fieldText(access, record)}`).join(' ');
}

/**
 * The text of an event's records, be the event fentry's own or read from a file; where its print format is not understood, its
 * fields.
 */
export function printedText(event: Printed, dialect: PrintDialect): TextOf {
  try {
    return compilePrint(event, dialect);
  } catch {
    return fieldsText(event);
  }
}
