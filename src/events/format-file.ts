import { COMMON_FIELDS, type EventFormat } from './define.js';
import type { EventField } from './fields.js';

const fieldLine = (name: string, field: EventField): string =>
  `\tfield:${field.type} ${name}${field.array};\toffset:${field.offset};\tsize:${field.size};\tsigned:${field.signed ? 1 : 0};\n`;

const fieldLines = (fields: Readonly<Record<string, EventField>>): string =>
  Object.entries(fields)
    .map(([name, field]) => fieldLine(name, field))
    .join('');

/** The text of `events/GROUP/NAME/format` (f_show in kernel/trace/trace_events.c). */
export function formatFile({ name, id, fields, print }: EventFormat): string {
  return `name: ${name}\nID: ${id}\nformat:\n${fieldLines(COMMON_FIELDS)}\n${fieldLines(fields)}\nprint fmt: ${print}\n`;
}

/** Bytes of a sub-buffer's header: timestamp and commit. */
const PAGE_HEADER_SIZE = 16;

/** The text of `events/header_page` (ring_buffer_print_page_header) for sub-buffers of `subbufBytes`. */
export function headerPageFile(subbufBytes = 4096): string {
  const data = subbufBytes - PAGE_HEADER_SIZE;
  return (
    '\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n' +
    '\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n' +
    '\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n' +
    `\tfield: char data;\toffset:16;\tsize:${data};\tsigned:1;\n`
  );
}

/** The text of `events/header_event` (ring_buffer_print_entry_header). */
export const HEADER_EVENT_FILE =
  '# compressed entry header\n' +
  '\ttype_len    :    5 bits\n' +
  '\ttime_delta  :   27 bits\n' +
  '\tarray       :   32 bits\n' +
  '\n' +
  '\tpadding     : type == 29\n' +
  '\ttime_extend : type == 30\n' +
  '\ttime_stamp : type == 31\n' +
  '\tdata max type_len  == 28\n';
