import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TracefsClient } from '../../bench/lib/tracefs-client.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLI = join(ROOT, 'dist', 'cli.js');
const run = promisify(execFile);

/**
 * How each program is traced while it works: the files that are written, one setting after the other, each from a clean state.
 */
const SETTINGS = [
  [['current_tracer', 'function']],
  [['current_tracer', 'function_graph']],
  [
    ['max_graph_depth', '2'],
    ['current_tracer', 'function_graph'],
  ],
  [
    ['set_ftrace_filter', '*a*'],
    ['set_ftrace_notrace', '*e*'],
    ['current_tracer', 'function'],
  ],
];
/** What undoes them. */
export const CLEAN = [
  ['current_tracer', 'nop'],
  ['max_graph_depth', '0'],
  ['set_ftrace_filter', ''],
  ['set_ftrace_notrace', ''],
];

/** The fentry command, with sockets in a folder of its own. */
export const fentry = (folder, args, options = {}) =>
  run(process.execPath, [CLI, ...args], {
    maxBuffer: 1 << 30,
    ...options,
    env: { ...process.env, NODE_OPTIONS: '', FENTRY: '', FENTRY_DIR: folder, ...options.env },
  });

/** Starts a program, which `stop` ends. Rejects when it ends by itself before it is `ready`. */
export async function started(command, args, ready, options = {}) {
  const child = spawn(command, args, { stdio: 'ignore', ...options });
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  while (!(await ready().catch(() => false))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${command} has ended: ${await ended}`);
    await sleep(50);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { pid: child.pid, stop };
}

/** The lines of a file. */
export const linesOf = async (files, name) => (await files.read(name)).split('\n').slice(0, -1);

/** Records of a process that its buffers have, and those that were overwritten or dropped. */
export async function eventsOf(files) {
  const cpus = (await files.read('per_cpu/')).match(/cpu\d+/g) ?? [];
  const texts = await Promise.all([...new Set(cpus)].map((cpu) => files.read(`per_cpu/${cpu}/stats`)));
  const counts = texts.flatMap((text) => [...text.matchAll(/^(?:entries|overrun|dropped events|commit overrun): (\d+)$/gm)]);
  return counts.reduce((all, [, count]) => all + Number(count), 0);
}

/**
 * Attaches to a process while `work` goes on without a pause, traces it in all settings, and detaches.
 * @param work does one piece of work and checks its result; rejects when that is wrong
 */
export async function tracedAtWork({ pid, folder, work }) {
  let isTraced = true;
  let pieces = 0;
  const load = (async () => {
    for (; isTraced || pieces === 0; pieces++) await work();
  })();
  const wrong = load.then(
    () => undefined,
    (error) => error,
  );
  // A piece that begins and ends in the present setting.
  const onePiece = async () => {
    const before = pieces;
    while (pieces < before + 2) {
      const error = await Promise.race([wrong, sleep(20)]);
      if (error !== undefined) throw error;
    }
  };
  await fentry(folder, ['attach', '--native', String(pid)]);
  const files = new TracefsClient(join(folder, `${pid}.sock`));
  let [functions, events] = [0, 0];
  for (const setting of SETTINGS) {
    for (const [file, text] of setting) await files.write(file, text);
    functions = Math.max(functions, (await linesOf(files, 'enabled_functions')).length);
    await onePiece();
    events += await eventsOf(files);
    for (const [file, text] of CLEAN) await files.write(file, text);
  }
  const without = (await linesOf(files, 'functions_without_sites')).length;
  await fentry(folder, ['detach', String(pid)]);
  await onePiece();
  isTraced = false;
  const error = await wrong;
  if (error !== undefined) throw error;
  return { functions, without, events };
}

/** The first of these files that is not there. */
export const missing = (...paths) => paths.find((path) => !existsSync(path));
