import { connectTo } from '../client/processes.js';
import type { TraceClient } from '../client/trace-client.js';
import { numberOption } from './arguments.js';

/** The client of the process that --pid names, or of the only one. */
export function targetOf(values: { readonly pid?: string }): Promise<TraceClient> {
  return connectTo(values.pid === undefined ? undefined : numberOption('--pid', values.pid, 1));
}
