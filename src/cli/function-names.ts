import type { TraceClient } from '../client/trace-client.js';

/** The names of the functions that can be traced; none if the process does not say. */
export async function functionNames(client: TraceClient): Promise<readonly string[]> {
  const lines = (await client.read('available_filter_functions').catch(() => '')).split('\n');
  return lines.map((line) => line.split(/[ \t]/)[0]!);
}
