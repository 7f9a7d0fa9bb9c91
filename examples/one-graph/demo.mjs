// Draws one request through JavaScript, libuv, V8's JSON parser and a native addon: `npm run build && node examples/one-graph/demo.mjs`. Linux on
// x86-64. The addon needs a C compiler; without one, JavaScript takes its place.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const FENTRY = at('../../dist/cli.js');
const FUNCTIONS = [
  'handle',
  'priceOf',
  'readPrices',
  'addLine',
  'each_line',
  'uv_fs_open',
  'uv_fs_read',
  'uv_fs_close',
  '*JsonParser*.ParseJson',
];

const folder = mkdtempSync(join(tmpdir(), 'one-graph-'));
const recording = join(folder, 'request.dat');

function buildAddon() {
  const addon = join(folder, 'addon.node');
  try {
    execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', addon, at('addon.c')], { stdio: 'ignore' });
    return { ADDON: addon };
  } catch {
    console.log('There is no C compiler: the addon is left out.');
    return {};
  }
}

/** Records the server while it answers one request. */
async function record() {
  const words = FUNCTIONS.flatMap((name) => ['-l', name]);
  const args = [
    'record',
    '-p',
    'function_graph',
    '-g',
    'handle',
    ...words,
    '-o',
    recording,
    '--',
    process.execPath,
    at('server.mjs'),
  ];
  const env = { ...process.env, ...buildAddon(), FENTRY: 'native' };
  const recorder = spawn(process.execPath, [FENTRY, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: recorder.stdout })) {
    const [, pid, url] = /^server (\d+) listens on (\S+)$/.exec(line) ?? [];
    if (pid === undefined) continue;
    // fentry looks four times a second which objects the program has loaded.
    await sleep(1000);
    const answer = await fetch(`${url}?order=${encodeURIComponent('3 apples\n2 pears')}`);
    console.log(`The answer to the request: ${await answer.text()}`);
    process.kill(Number(pid), 'SIGTERM');
    break;
  }
  await once(recorder, 'exit');
}

try {
  await record();
  const report = execFileSync(process.execPath, [FENTRY, 'report', '-i', recording], { encoding: 'utf8' });
  // Task, cpu, time and the event's name are left out.
  console.log(report.replace(/^.*: funcgraph_(?:entry:|exit: ) {6}/gm, ''));
} finally {
  rmSync(folder, { recursive: true });
}
