// A call under the function profiler and under the stack tracer, which writes no records.
import { runBundled } from './lib/bundled.mjs';
import { cannot, verdict } from './lib/verdict.mjs';

const { idle, profiler, ownTime, stack } = await runBundled('statistics');
const detail = `the untraced call's ${idle.toFixed(1)} ns subtracted`;
verdict({ name: 'profiled call', ratio: profiler - idle, unit: ' ns', detail });
verdict({ name: 'profiled call, nograph-time', ratio: ownTime - idle, unit: ' ns', detail });
if (stack === undefined) cannot('measured stack', 'this system does not tell how deep a stack is');
else verdict({ name: 'measured stack', ratio: (stack - idle) / 1000, unit: ' µs', detail });
