import { TraceError } from '../base/errno.js';
import type { TraceClient } from '../client/trace-client.js';
import { functionNames } from './function-names.js';
import { didYouMean } from './nearest.js';

/**
 * Throws what a person is told whose word for functions a file has refused with EINVAL: ENOENT, with similar names. Other errors
 * are thrown as they are.
 */
export async function noSuchFunction(client: TraceClient, word: string, error: unknown): Promise<never> {
  if (!(error instanceof TraceError) || error.errno !== 'EINVAL') throw error;
  throw new TraceError('ENOENT', `no function matches ${word}${didYouMean(word, await functionNames(client))}`);
}
