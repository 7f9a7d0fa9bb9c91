import { PAGE_HEADER_BYTES } from './event-word.js';

/** The text of `events/header_page`: what a sub-buffer begins with (ring_buffer_print_page_header()). */
export function formatHeaderPage(subbufBytes: number): string {
  const field = (type: string, offset: number, size: number, signed: number) =>
    `\tfield: ${type};\toffset:${offset};\tsize:${size};\tsigned:${signed};\n`;
  return (
    field('u64 timestamp', 0, 8, 0) +
    field('local_t commit', 8, 8, 1) +
    field('int overwrite', 8, 1, 1) +
    field('char data', PAGE_HEADER_BYTES, subbufBytes - PAGE_HEADER_BYTES, 1)
  );
}

/** The text of `events/header_event`: how events lie in it (ring_buffer_print_entry_header()). */
export const HEADER_EVENT = `# compressed entry header
\ttype_len    :    5 bits
\ttime_delta  :   27 bits
\tarray       :   32 bits

\tpadding     : type == 29
\ttime_extend : type == 30
\ttime_stamp : type == 31
\tdata max type_len  == 28
`;
