import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { duckDb } from '../support/duck-db.js';
import { installedPackage } from '../support/installed-package.js';
import { TraceProcessor } from '../support/trace-processor.js';
import { Sandbox, until } from './support/program.js';

const processor = new TraceProcessor();
after(() => processor.end());

const SDK = '@opentelemetry/sdk-trace-node';

/** An order is a span with a part before and a part after a wait, and a span inside; two run at once. */
const SHOP = `
function price(n) { let sum = 0; for (let i = 0; i < n; i++) sum += i; return sum; }
function tax(n) { return price(n) * 2; }
async function order(n) {
  price(n);
  await new Promise((done) => setTimeout(done, 2));
  return tracer.startActiveSpan('tax', (span) => { const value = tax(n); span.end(); return value; });
}
const handle = (n) => tracer.startActiveSpan('order', async (span) => {
  const value = await order(n);
  span.end();
  const { traceId, spanId } = span.spanContext();
  return { traceId, spanId, value };
});
`;

const sdkAt = (folder: string): string => `
const { trace } = require(${JSON.stringify(join(dirname(folder), 'api'))});
const { NodeTracerProvider } = require(${JSON.stringify(folder)});
new NodeTracerProvider().register();
const tracer = trace.getTracer('shop');
`;

/** The query of docs/fleet.md behind a line. */
const query = (title: string): string =>
  new RegExp(`\\n${title}:\\n\\n\`\`\`sql\\n(.*?)\`\`\``, 's').exec(readFileSync('docs/fleet.md', 'utf8'))![1]!;

test('which function of span X is one query, with an SDK that is imported later', async (t) => {
  const folder = installedPackage(SDK, '2.12.1');
  if (folder === undefined) return t.skip(`npm cannot install ${SDK}`);
  const sandbox = new Sandbox(t);
  const program = sandbox.file(
    'shop.mjs',
    `import { createRequire } from 'node:module';
     import { writeFileSync } from 'node:fs';
     const require = createRequire(import.meta.url);
     ${sdkAt(folder)}${SHOP}
     price(1);
     writeFileSync('orders.json', JSON.stringify(await Promise.all([handle(10), handle(20)])));`,
  );
  const functions = ['price', 'tax', 'order'].flatMap((name) => ['-l', name]);
  const where = ['--to', 'fleet', '--spool', 'spool', '--service', 'shop', '--slow', '0'];
  const { code, stderr } = await sandbox.fentry('collect', ...where, '-e', 'otel', ...functions, '--', process.execPath, program);
  assert.equal(code, 0, stderr);
  const orders: readonly { traceId: string; spanId: string }[] = JSON.parse(
    readFileSync(join(sandbox.folder, 'orders.json'), 'utf8'),
  );
  const ask = await duckDb(t);
  if (ask === undefined) return;
  const fleet = join(sandbox.folder, 'fleet');
  const inFleet = (sql: string) => ask(sql.replaceAll("read_parquet('", `read_parquet('${fleet}/`));
  for (const { traceId, spanId } of orders) {
    const rows = await inFleet(query('The functions of a span').replace('SPAN', spanId));
    assert.deepEqual(
      rows.map((row) => `${row['function']} ${row['calls']}`).sort(),
      ['order 1', 'price 1'],
      'what it did itself, before and after its wait',
    );
    const spans = await inFleet(query('The spans of a trace, and the function that took most of each').replace('TRACE', traceId));
    assert.deepEqual(spans.map(({ span }) => span).sort(), ['order', 'tax']);
    assert.ok(['tax', 'price'].includes(String(spans.find(({ span }) => span === 'tax')!['function'])));
  }
  const [outside] = await inFleet(
    "SELECT count(*) AS calls FROM read_parquet('calls/**/*.parquet') WHERE span_id = '' AND trace_id = ''",
  );
  assert.equal(Number(outside!['calls']), 1, 'the call outside of spans');
});

test('an SDK that runs already is followed, and its spans stay as they are', async (t) => {
  const folder = installedPackage(SDK, '1.30.1');
  if (folder === undefined) return t.skip(`npm cannot install ${SDK}`);
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(
    `${sdkAt(folder)}${SHOP}
     const api = globalThis[Symbol.for('opentelemetry.js.api.1')];
     const { writeFileSync } = require('node:fs');
     const storage = api.context._asyncLocalStorage;
     const before = JSON.stringify([Reflect.ownKeys(api).map(String), Reflect.ownKeys(storage).map(String)]);
     const timer = setInterval(async () => {
       const { spanId } = await handle(10);
       const now = JSON.stringify([Reflect.ownKeys(api).map(String), Reflect.ownKeys(storage).map(String)]);
       writeFileSync('left', spanId === '' || now !== before ? now : 'nothing');
     }, 20);`,
  );
  const recorded = join(sandbox.folder, 'shop.dat');
  const { code, stderr } = await sandbox.fentry(
    ...['record', '--pid', String(pid), '-e', 'otel', '-l', 'order', '-o', recorded, '--', 'sleep', '0.5'],
  );
  assert.equal(code, 0, stderr);
  await until(() => readFileSync(join(sandbox.folder, 'left'), 'utf8') === 'nothing', 'the SDK is as it was');
  const dumped = await sandbox.fentry('dump', '--parquet', '-i', recorded, '-o', join(sandbox.folder, 'shop.parquet'));
  assert.equal(dumped.code, 0, dumped.stderr);
  const bytes = readFileSync(join(sandbox.folder, 'shop.parquet'));
  const rows = await parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) });
  const parts = new Map<unknown, Record<string, unknown>[]>();
  for (const row of rows) parts.set(row['span_id'], [...(parts.get(row['span_id']) ?? []), row]);
  const whole = [...parts.values()].filter(({ length }) => length === 2);
  assert.ok(whole.length > 3, stderr);
  const trace = await sandbox.fentry('dump', '--perfetto', '-i', recorded, '-o', join(sandbox.folder, 'shop.pftrace'));
  assert.equal(trace.code, 0, trace.stderr);
  if (!processor.skip) {
    const sql = `select extract_arg(arg_set_id, 'debug.span_id') as span from slice where name = 'order'`;
    const [slices] = await processor.query(join(sandbox.folder, 'shop.pftrace'), [sql]);
    const spans = slices!.map(({ span }) => span);
    for (const [first] of whole) assert.equal(spans.filter((span) => span === first!['span_id']).length, 2);
  }
  for (const [first, second] of whole) assert.deepEqual([first!['suspended'], second!['resumed']], [true, true]);
});
