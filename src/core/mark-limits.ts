/** The most bytes of text in one `print` record (TRACE_BUF_SIZE). */
export const MAX_MARK_BYTES = 1024;
/** The most bytes in one `raw_data` record, with its id (RAW_DATA_MAX_SIZE). */
export const MAX_RAW_MARK_BYTES = 3072;
/** Bytes of a raw record's id. */
export const RAW_ID_BYTES = 4;
