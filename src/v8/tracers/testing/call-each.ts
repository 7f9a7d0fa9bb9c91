import { end, entry, run } from './hand-sites.js';
import { createTraced } from './traced.js';

/** Calls a traced function once under each tracer. */
const traced = createTraced(['f']);
const f = run<() => void>(`function f() { ${entry(0)} ${end} } return f;`);
for (const tracer of ['function', 'function_graph'] as const) {
  traced.start({ tracer });
  f();
  traced.stop();
}
