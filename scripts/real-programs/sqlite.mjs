import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TracefsClient } from '../../bench/lib/tracefs-client.mjs';
import { sqliteWithSites } from './sqlite-build.mjs';
import { CLEAN, eventsOf, linesOf } from './tracing.mjs';

const PRELOAD = fileURLToPath(new URL('../../dist/preload.cjs', import.meta.url));
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const ADDON = 'better_sqlite3.node';
/** All functions of SQLite and of the binding, and those of the package in JavaScript. */
const PACKAGE = `:mod:${ADDON} prepare exec pragma transaction sqliteTransaction`;
const ALL = `${PACKAGE} answer filled doubled refused`;
/** How the program is traced while it works: all functions of SQLite, of the binding, and of JavaScript. */
const SETTINGS = [
  [
    ['set_ftrace_filter', ALL],
    ['current_tracer', 'function'],
  ],
  [
    ['set_ftrace_filter', ALL],
    ['max_graph_depth', '4'],
    ['current_tracer', 'function_graph'],
  ],
  [
    ['set_ftrace_filter', '*a*'],
    ['set_ftrace_notrace', '*e*'],
    ['current_tracer', 'function'],
  ],
  [
    ['set_ftrace_filter', ALL],
    ['set_graph_function', 'answer'],
    ['buffer_size_kb', '65536'],
    ['current_tracer', 'function_graph'],
  ],
];
/** From JavaScript through the binding to SQLite, and back to a function of JavaScript that a query calls. */
const WAY = ['answer', 'Statement.JS_get', 'sqlite3_step', 'sqlite3VdbeExec', 'CustomFunction.xFunc', 'doubled'];

const isOfAddon = (line) => line.includes(`[${ADDON}]`);

/** Node with fentry, which traces its JavaScript and its machine code. */
const traced = (folder, args, options) =>
  spawn(process.execPath, ['--require', PRELOAD, ...args], {
    ...options,
    env: { ...process.env, ...options.env, NODE_OPTIONS: '', FENTRY: 'native', FENTRY_DIR: folder },
  });

/** The files of a process, once there are some. */
async function filesOf(folder, child) {
  const files = new TracefsClient(join(folder, `${child.pid}.sock`));
  while ((await files.read('current_tracer').catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`the program has ended: ${child.exitCode}`);
    await sleep(100);
  }
  return files;
}

/** The calls around each call of a graph, each deeper than the one before; rejects a graph whose indents do not nest. */
function waysIn(graph) {
  const open = [];
  const ways = new Set();
  let count = 0;
  for (const line of graph.split('\n')) {
    const [, indent, name, end] = /^ [^|]*\| {2}( *)(?:(\S+?)(?: \[\S+\])?\(\))?(.*)$/.exec(line) ?? [];
    if (indent === undefined) continue;
    if (name === undefined) open.pop();
    if (indent.length !== 2 * open.length) throw new Error(`this call is ${open.length} calls deep: ${line}`);
    if (name === undefined) continue;
    count++;
    if (name === WAY.at(-1)) ways.add([...open, name].filter((one) => WAY.includes(one)).join(' > '));
    if (end.includes('{')) open.push(name);
  }
  return { ways, count };
}

/** Traces the program in all settings while it works. */
async function tracedAtWork(files, ask) {
  const first = await ask();
  let [functions, events, graph] = [0, 0, ''];
  for (const setting of SETTINGS) {
    for (const [file, text] of setting) await files.write(file, text);
    const enabled = await linesOf(files, 'enabled_functions');
    functions = Math.max(functions, enabled.filter(isOfAddon).length);
    const answer = await ask();
    if (answer !== first) throw new Error(`the answer was ${first}, and is ${answer}`);
    events += await eventsOf(files);
    await files.write('tracing_on', '0');
    graph = await files.read('trace');
    for (const [file, text] of [...CLEAN, ['set_graph_function', ''], ['tracing_on', '1']]) await files.write(file, text);
  }
  if ((await ask()) !== first) throw new Error('the answer has changed');
  const without = (await linesOf(files, 'functions_without_sites')).filter(isOfAddon).length;
  const { ways, count } = waysIn(graph);
  if (!ways.has(WAY.join(' > '))) throw new Error(`the ways to ${WAY.at(-1)} are ${[...ways].join(', ')}`);
  return { functions, without, events, count };
}

async function atWork(folder, sqlite) {
  const child = traced(folder, [here('sqlite-program.cjs'), sqlite], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const ended = once(child, 'exit');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await lines.next();
    const ask = async () => {
      child.stdin.write('\n');
      return (await lines.next()).value;
    };
    const found = await tracedAtWork(await filesOf(folder, child), ask);
    child.stdin.end();
    const [code] = await ended;
    if (code !== 0) throw new Error(`the program ended with ${code}`);
    return found;
  } finally {
    child.kill('SIGKILL');
  }
}

const TRACED = [
  ['set_ftrace_filter', PACKAGE],
  ['current_tracer', 'function_graph'],
];

/** What became of each test of the package, by itself or under the tracer. */
async function outcomes(folder, sqlite, isTraced) {
  const file = join(folder, 'outcomes.json');
  const mocha = ['node_modules/mocha/bin/_mocha', '--exit', '--timeout', '60000', '--require', here('mocha-wait.cjs')];
  const args = [...mocha, '--reporter', 'json', '--reporter-option', `output=${file}`];
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
  const options = { cwd: sqlite, stdio, env: { ...process.env, SQLITE: sqlite } };
  const child = isTraced ? traced(folder, args, options) : spawn(process.execPath, args, options);
  try {
    const ended = once(child, 'exit');
    await once(child, 'message');
    const files = isTraced ? await filesOf(folder, child) : undefined;
    for (const [path, text] of isTraced ? TRACED : []) await files.write(path, text);
    child.send('go');
    await ended;
  } finally {
    child.kill('SIGKILL');
  }
  const { tests, failures } = JSON.parse(readFileSync(file, 'utf8'));
  const failed = new Set(failures.map(({ fullTitle }) => fullTitle));
  return tests.map(({ fullTitle }) => `${fullTitle}: ${failed.has(fullTitle) ? 'failed' : 'passed'}`);
}

async function suite(folder, sqlite) {
  const before = await outcomes(folder, sqlite, false);
  const after = await outcomes(folder, sqlite, true);
  const differing = before.filter((line, i) => line !== after[i]);
  if (before.length === 0 || before.length !== after.length || differing.length > 0)
    throw new Error(`${before.length} tests, traced ${after.length}; ${differing.join(', ')}`);
  return { tests: before.length, failed: before.filter((line) => line.endsWith('failed')).length };
}

/**
 * SQLite, with a site in each function, in a Node process: one graph of JavaScript, the binding and SQLite; the package's own
 * tests.
 */
export const sqlite = {
  name: 'better-sqlite3',
  packages: ['gcc', 'g++', 'make', 'python3'],
  needs: ['/usr/bin/gcc', '/usr/bin/g++', '/usr/bin/make'],
  async examine(folder) {
    const sqlite = sqliteWithSites();
    const { count, ...traced } = await atWork(folder, sqlite);
    const { tests, failed } = await suite(folder, sqlite);
    const failures = failed === 0 ? '' : `, ${failed} of which fail`;
    return {
      ...traced,
      result: `${tests.toLocaleString('en')} of its own tests as before${failures}; one graph of ${count.toLocaleString('en')} calls from JavaScript to SQLite and back`,
    };
  },
};
