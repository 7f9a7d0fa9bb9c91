import { parentPort } from 'node:worker_threads';
import { entry, ret, run } from './hand-sites.js';
import { createTraced } from './traced.js';

/** A worker with a large stack: 50,000 frames of a traced function, and what was recorded of them. */
const traced = createTraced(['f'], { bytes: 16 << 20 });
const f = run<(n: number) => number>(
  `function f(n) { ${entry(0, 'n')} if (n === 0) ${ret('0')} ${ret('f(n - 1) + 1')} } return f;`,
);
traced.start({ tracer: 'function_graph' });
f(50_000);
traced.stop();
const records = traced.records();
parentPort!.postMessage({
  events: records.length,
  deepest: records[50_000]?.depth,
  last: records.at(-1)?.depth,
});
