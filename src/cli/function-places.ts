import type { FunctionsAnswer } from '../answers/functions/functions-answer.js';
import { listedFunction } from '../answers/functions/functions-text.js';
import { fullName } from '../answers/place-text.js';
import { TraceError } from '../base/errno.js';
import { workingFolder } from '../base/working-folder.js';
import type { TraceClient } from '../client/trace-client.js';
import { functionLineTest } from './function-pattern.js';

/** The file with places; of a process with an older fentry, the one without. */
const readPlaces = (client: TraceClient): Promise<string> =>
  client.read('function_places').catch((error) => {
    if (error instanceof TraceError && error.errno === 'ENOENT') return client.read('available_filter_functions');
    throw error;
  });

/**
 * The functions of a process with their places.
 * @param pattern only those that this pattern of set_ftrace_filter names
 */
export async function functionsOf(client: TraceClient, pattern?: string): Promise<FunctionsAnswer> {
  const isNamed = pattern === undefined ? () => true : functionLineTest(pattern);
  const functions = (await readPlaces(client)).split('\n').flatMap((line) => {
    const one = listedFunction(line);
    if (one === undefined) return [];
    return isNamed(fullName(one)) ? [one] : [];
  });
  return { answer: 'functions', version: 1, pid: client.pid, application: workingFolder(client.pid), functions };
}
