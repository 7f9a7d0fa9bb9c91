/** Bytes of text that one `print` record takes (TRACE_BUF_SIZE). */
export const MAX_MARK_BYTES = 1024;
/** Bytes that one `raw_data` record takes, its id included (RAW_DATA_MAX_SIZE). */
export const MAX_RAW_MARK_BYTES = 3072;
/** Bytes of a raw record's id. */
export const RAW_ID_BYTES = 4;
