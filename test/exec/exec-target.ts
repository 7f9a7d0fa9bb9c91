import { resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { Sandbox } from '../e2e/support/program.js';

const PROGRAM = `
function leaf(n) { let sum = 0; for (let i = 0; i < 200; i++) sum += i * n; return sum; }
function middle(n) { return leaf(n) + leaf(n + 1); }
function handle(n) { return middle(n); }
const turn = () => { for (let i = 0; i < 5; i++) handle(i); };
let turns = setInterval(turn, 5);
process.stdin.on('data', (text) => {
  clearInterval(turns);
  for (let i = Number(text); i > 0; i--) turn();
});
`;

/** A small looping program, and how commands are run on its files. */
export async function execTarget(t: TestContext) {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(PROGRAM);
  return {
    sandbox,
    program,
    /** Runs a command where its files are the kernel's. */
    exec: (...command: readonly string[]) =>
      sandbox.run([resolve('dist/cli.js'), 'exec', '--', ...command], { TMPDIR: sandbox.folder }),
    read: async (path: string) => (await sandbox.fentry('cat', path)).stdout,
  };
}
