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

/** A server that gets a request of its own every few milliseconds, and allocates for each. */
export const SERVER = `
const http = require('node:http');
function answer(n) { return Buffer.alloc(2000 + n).length; }
function handle(request, response) { response.end(String(answer(Number(request.url.slice(1)) % 5))); }
const server = http.createServer(handle).listen(0, () => {
  const { port } = server.address();
  let n = 0;
  setInterval(() => http.get({ port, path: '/' + n++ }, (response) => response.resume()), 10);
});
`;

/** A program, by default a small looping one, and how commands are run on its files. */
export async function execTarget(t: TestContext, source = PROGRAM) {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(source);
  return {
    sandbox,
    program,
    /** Runs a command where its files are the kernel's. */
    exec: (...command: readonly string[]) =>
      sandbox.run([resolve('dist/cli.js'), 'exec', '--', ...command], { TMPDIR: sandbox.folder }),
    read: (path: string) => sandbox.read(path),
  };
}
