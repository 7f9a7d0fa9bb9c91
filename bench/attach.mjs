// Attaching to a process that was started without fentry, idle and in an endless loop; and what a call of a function costs
// that a breakpoint reaches.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './lib/pairs.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const env = { ...process.env, FENTRY_CACHE: join(folder, 'cache'), FENTRY_DIR: join(folder, 'run'), NODE_OPTIONS: '' };

const PROGRAMS = {
  idle: `console.log('ready'); setInterval(() => {}, 1000);`,
  'in an endless loop': `console.log('ready'); for (let s = 0; ; s = (s + 1) % 1000);`,
};
/** Prints the mean microseconds of a call every half second, with few enough calls for the breakpoint to stay. */
const CALLS = `
function f(a) { return a + 1; }
console.log('ready');
setInterval(() => {
  const began = performance.now();
  for (let i = 0; i < 100; i++) f(i);
  console.log(((performance.now() - began) * 1000) / 100);
}, 500);
`;

const fentry = (...args) => execFileSync(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] });

async function start(source) {
  const file = join(folder, 'program.cjs');
  writeFileSync(file, source);
  const child = spawn(process.execPath, ['--inspect-port=0', file], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  return child;
}

try {
  for (const [name, source] of Object.entries(PROGRAMS)) {
    const child = await start(source);
    const times = { attach: [], detach: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const verb of ['attach', 'detach']) {
        const began = performance.now();
        fentry(verb, String(child.pid));
        times[verb].push(performance.now() - began);
      }
    }
    child.kill('SIGKILL');
    const [attach, detach] = [times.attach, times.detach].map((all) => median(all).toFixed(0));
    console.log(`attach to a program ${name}: ${attach} ms, detach ${detach} ms, the command's own start included`);
  }

  const child = await start(CALLS);
  fentry('attach', String(child.pid));
  const perCall = async () => {
    const seen = [];
    await once(child.stdout, 'data');
    while (seen.length < 5)
      seen.push(
        Number(
          String((await once(child.stdout, 'data'))[0])
            .trim()
            .split('\n')
            .at(-1),
        ),
      );
    return median(seen);
  };
  fentry('write', 'set_ftrace_filter', 'f');
  for (const tracer of ['nop', 'function', 'function_graph']) {
    fentry('write', 'current_tracer', tracer);
    console.log(`a call of a function with a breakpoint, tracer ${tracer}: ${(await perCall()).toFixed(1)} us`);
  }
  child.kill('SIGKILL');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
