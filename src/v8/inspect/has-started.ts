import { RUNS_PROGRAM } from '../../base/runs-program.js';

/**
 * The source of an expression: whether the interrupted thread is past its own start, so that it may be asked for what needs no
 * file. Besides what RUNS_PROGRAM finds, that is a thread whose event loop has turned: it may run nothing but Node's code just
 * now. A worker must also know what it is for.
 */
export const HAS_STARTED = `(${RUNS_PROGRAM} || (() => {
  const load = process.getBuiltinModule;
  if (load === undefined || !(load('node:perf_hooks').performance.nodeTiming.loopStart > 0)) return false;
  const { isMainThread, parentPort } = load('node:worker_threads');
  return isMainThread || parentPort !== null;
})())`;
