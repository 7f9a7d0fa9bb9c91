// How long `fentry bt` takes of a process that runs without fentry, from the start of the command to its end, and a plain client
// of the inspector for one answer of each thread.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CLI } from './lib/child.mjs';
import { measurePairs } from './lib/pairs.mjs';
import { cannot, verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 5);
const [PROGRAM, PLAIN] = ['busy-thread.cjs', 'plain-inspector.mjs'].map((name) =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)),
);
/** Milliseconds until a program does what it is asked about. */
const BEGINNING = 1000;
/** Milliseconds after which the plain client has no answer. */
const PATIENCE = 5000;
const WORKERS = 20;

/** What the program does, by its argument; a target if there is one. */
const CASES = [
  ['regex', 'a regular expression that backtracks', '1 s'],
  ['loop', 'while (true)', '1 s'],
  ['child', 'execFileSync', '1 s'],
  ['atomics', 'Atomics.wait', '1 s'],
  ['idle-workers', '20 idle workers', '1 s'],
  ['light-workers', '20 workers, each 5 % busy', '1 s'],
  ['loop-workers', '20 workers in while (true)'],
  ['regex-workers', '20 workers in a regular expression'],
  ['loop-heap', '1 GB of heap, in while (true)', '1 s'],
];

const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const env = { ...process.env, FENTRY_DIR: folder, NODE_OPTIONS: '' };

/** Seconds that a command takes; infinite if it does not end. @param isRight says whether what it prints is the answer */
const seconds = (args, isRight = () => true) => {
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: PATIENCE * 12 });
  if (status !== 0 || !isRight(stdout)) throw new Error(`${args.join(' ')} says: ${stdout}${stderr}`);
  return (performance.now() - began) / 1000;
};

const endProgram = (child) => {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

try {
  for (const [argument, name, target] of CASES) {
    const child = spawn(process.execPath, ['--inspect-port=0', '--max-old-space-size=4096', PROGRAM, argument], {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      await once(child.stdout, 'data');
      await sleep(BEGINNING);
      const workers = argument.endsWith('-workers') ? WORKERS : 0;
      const isRight = (text) => (text.match(/^(main thread|worker)/gm) ?? []).length === workers + 1;
      const bt = () => seconds([CLI, 'bt', '--timeout', '60', String(child.pid)], isRight);
      const plain = () => seconds([PLAIN, String(child.pid), String(workers)]);
      const noAnswer = argument === 'child';
      const { a, b, ratio } = await measurePairs(bt, noAnswer ? () => PATIENCE / 1000 : plain, PAIRS);
      const detail = noAnswer ? 'the plain client gets no answer' : `${ratio.toFixed(1)} of the plain client's ${b.toFixed(2)} s`;
      verdict({ name, ratio: a, unit: ' s', target, detail });
    } catch (error) {
      cannot(name, error.message);
    } finally {
      endProgram(child);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
