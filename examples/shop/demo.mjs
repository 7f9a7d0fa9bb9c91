// Records the shop under load with fentry, then shows what one request did: `npm start` in fentry's folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describeLoad, runLoad } from './load.mjs';
import { findGraph } from './show-graph.mjs';

const FENTRY = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const SERVER = fileURLToPath(new URL('./server.mjs', import.meta.url));
const FILE = process.argv[2] ?? 'shop.dat';
const REQUESTS = 400;
/** The handler whose graph is shown: it renders a page from a row of the database. The first calls, still cold, are skipped. */
const SHOWN = { name: 'showItem', depth: 4, skip: 20 };

/** Starts `fentry record` on the server; resolves with the recorder, the server's pid and its address. */
async function startRecording() {
  const args = [FENTRY, 'record', '-p', 'function_graph', '-o', FILE, '--', process.execPath, SERVER, '0'];
  console.log(`$ fentry record -p function_graph -o ${FILE} -- node examples/shop/server.mjs\n`);
  const recorder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: recorder.stdout })) {
    console.log(line);
    const [, pid, url] = /^shop (\d+) listens on (\S+)$/.exec(line) ?? [];
    if (pid !== undefined) return { recorder, pid: Number(pid), url };
  }
  throw new Error('the shop ended before it listened');
}

/** Streams `fentry report` until the graph of a call of SHOWN is complete. */
async function reportOneRequest() {
  const report = spawn(process.execPath, [FENTRY, 'report', '-i', FILE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const graph = await findGraph(createInterface({ input: report.stdout }), SHOWN);
  report.stdout.destroy();
  report.kill();
  return graph;
}

const { recorder, pid, url } = await startRecording();
const load = await runLoad({ url, connections: 4, requests: REQUESTS });
console.log(`${describeLoad(load)}\n`);
const ended = once(recorder, 'exit');
process.kill(pid, 'SIGTERM');
const [status] = await ended;
if (status !== 0) throw new Error(`fentry record ended with status ${status}`);

const graph = await reportOneRequest();
if (graph.length === 0) throw new Error(`${FILE} holds too few calls of ${SHOWN.name}`);
console.log(
  `\nOne request, GET /items/ID: its handler, and what that called in the shop, Express and the database layer (${SHOWN.depth} levels):\n`,
);
console.log(graph.join('\n'));
console.log(`
Everything is in ${FILE}. Try next:
  npx fentry report -i ${FILE} | less        every call of every request
  trace-cmd report -i ${FILE} | less         the same, with the kernel's own reader; KernelShark opens it too
  npx fentry record -p function_graph -g placeOrder -o order.dat -- node examples/shop/server.mjs
  npx fentry env node examples/shop/server.mjs     and, while it runs, from another terminal:
    npx fentry write current_tracer function; npx fentry cat trace | head; npx fentry write current_tracer nop`);
