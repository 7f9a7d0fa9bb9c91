import { TraceError } from '../../base/errno.js';
import type { Inspect } from '../../port/inspect.js';

/** What a port's threads are asked by. @throws TraceError EOPNOTSUPP if it has no threads that can be asked */
export function askable(inspect: Inspect | undefined): Inspect {
  if (inspect === undefined) throw new TraceError('EOPNOTSUPP', 'this process runs no JavaScript that can be asked');
  return inspect;
}
