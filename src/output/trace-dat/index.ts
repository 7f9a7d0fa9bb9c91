/** trace.dat: fentry's recordings, in trace-cmd's file format. */

export { KERNEL, TRACE_CMD } from '../dialect.js';
export { marksText } from '../duration.js';
export { PROFILE_ORDERS, type ProfileOrder } from './calls/call-profile.js';
export { type ProfileOptions, printModules, printProfile } from './calls/summaries.js';
export { CONVERTED_CLOCK, type CountConversion, conversionOf } from './count-conversion.js';
export { eventFormatText, formatText, parseEventFormats } from './event-formats-file.js';
export { MergedEvents } from './merged-events.js';
export { changePage, rebasePage, rebaseSymbols } from './rebase.js';
export { numberedThrough, type ProcessThreads } from './recorded-processes.js';
export { type RecordedRequests, recordedRequests } from './recorded-requests.js';
export { report } from './report/report.js';
export type { ReportOptions, ReportResult, ReportSink } from './report/report-options.js';
export { fdSink } from './report/report-options.js';
export { reportAsTrace, type TraceFormatOptions } from './report/trace-format.js';
export type { BufferData, CpuData, TraceDat } from './trace-dat.js';
export { TraceDatError } from './trace-dat-error.js';
export { type Written, writeTraceDat } from './write.js';
