/**
 * The source of an expression: whether the thread that an inspector interrupted is past its own start. Node's modules must not
 * load a file before that: Node expects to load the first one itself, and a worker in which it does not ends the program.
 *
 * Node has started when the program's code runs, or, in a thread that runs nothing at the moment, when it can be said what the
 * thread is for: a worker learns that with its parentPort. A thread that runs only Node's code may be starting; a moment later
 * it does something else.
 */
export const RUNS_PROGRAM = `(() => {
  if (Object.isFrozen(Error)) return true;
  const files = [];
  const before = ['prepareStackTrace', 'stackTraceLimit'].map((name) => [name, Object.getOwnPropertyDescriptor(Error, name)]);
  const fileOf = (site) => site.getFileName() || (site.isEval() ? 'eval' : '');
  const put = (name, value) => Object.defineProperty(Error, name, { value, configurable: true, writable: true });
  put('stackTraceLimit', 100);
  put('prepareStackTrace', (_error, sites) => void files.push(...sites.map(fileOf).filter(Boolean)));
  void new Error().stack;
  for (const [name, descriptor] of before) {
    if (descriptor === undefined) delete Error[name];
    else Object.defineProperty(Error, name, descriptor);
  }
  if (files.length > 0) return files.some((file) => !file.startsWith('node:'));
  const { isMainThread, parentPort } = process.getBuiltinModule?.('node:worker_threads') ?? require('node:worker_threads');
  return isMainThread || parentPort !== null;
})()`;
