// Calls one small function argv[2] times, each in an OpenTelemetry span that an exporter throws away in batches;
// prints the nanoseconds that a call took.
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const exporter = { export: (_spans, done) => done({ code: 0 }), shutdown: async () => {} };
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
const tracer = provider.getTracer('bench');

const work = (a, b) => a + b;
const spanned = (a, b) =>
  tracer.startActiveSpan('work', (span) => {
    const result = work(a, b);
    span.end();
    return result;
  });

const run = (calls) => {
  let sum = 0;
  for (let i = 0; i < calls; i += 1) sum = spanned(sum, i);
  return sum;
};

const calls = Number(process.argv[2]);
run(calls >> 2);
const start = process.hrtime.bigint();
run(calls);
console.log(Number(process.hrtime.bigint() - start) / calls);
await provider.shutdown();
