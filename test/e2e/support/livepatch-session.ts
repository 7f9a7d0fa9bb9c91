import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { TraceError } from '../../../src/base/errno.js';
import { Sandbox, until } from './program.js';

/** Evaluates each line of stdin, in the main thread or in its worker, and prints what it gives. */
const PROGRAM = `
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
function total(order) { return order.price }
class Cart {
  #items = 3;
  constructor(name) { this.name = name }
  get size() { return this.#items }
  set size(n) { this.#items = n }
  static of({ name, items = 1 }, ...rest) { return name + items + rest.length }
}
class Big extends Cart { constructor() { super('big') } }
async function pay(gate) { await gate; return 'old ' + total({ price: 1 }) }
function* ids() { yield 1 }
const twice = [() => { function same() { return 1 } return same() }, () => { function same() { return 2 } return same() }];
function fact(n) { return n < 2 ? 1 : n * fact(n - 1) }
function spin(ms) { const end = Date.now() + ms; let n = 0; while (Date.now() < end) n = total({ price: 1 }); return n }
globalThis.load = require;
globalThis.bring = (path) => import(path);
globalThis.api = { total, Cart, Big, pay, ids, twice, fact, spin };
const run = async (code) => { try { return String(await (0, eval)(code)) } catch (error) { return String(error) } };
if (isMainThread) {
  const worker = new Worker(__filename);
  worker.on('message', (text) => console.log(text));
  let text = '';
  process.stdin.on('data', (data) => {
    text += data;
    const lines = text.split('\\n');
    text = lines.pop();
    for (const line of lines) line.startsWith('worker ') ? worker.postMessage(line.slice(7)) : run(line).then((value) => console.log(value));
  });
} else parentPort.on('message', (code) => run(code).then((value) => parentPort.postMessage(value)));
`;

export interface LivepatchSession {
  readonly sandbox: Sandbox;
  readonly pid: number;
  /** What an expression gives in the program. */
  evaluate(code: string): Promise<string>;
  /** Sends an expression whose value comes later. */
  send(code: string): void;
  /** The next line that the program prints. */
  next(): Promise<string>;
  read(path: string): Promise<string>;
  /** The names of patches and files in livepatch/. */
  list(): Promise<readonly string[]>;
  /** Returns why it was refused, and the errno. */
  write(path: string, text: string): Promise<string>;
  /** Loads a patch of this source; returns the same when its transition is over. */
  patch(name: string, source: string, extension?: string): Promise<string>;
  /** Loads a patch, but does not wait for the transition. */
  begin(name: string, source: string, extension?: string): Promise<string>;
}

/**
 * Starts the program with fentry, or attaches fentry to it.
 * @param parameters FENTRY
 */
export async function start(t: TestContext, isAttached = false, parameters = ''): Promise<LivepatchSession> {
  const sandbox = new Sandbox(t);
  const program = isAttached
    ? sandbox.spawn([sandbox.file('program.cjs', PROGRAM)])
    : await sandbox.start(PROGRAM, { FENTRY: parameters });
  const lines: string[] = [];
  let text = '';
  program.stdout!.setEncoding('utf8').on('data', (data: string) => {
    const parts = (text + data).split('\n');
    text = parts.pop()!;
    lines.push(...parts);
  });
  const next = async (): Promise<string> => {
    await until(() => lines.length > 0, 'the program answers');
    return lines.shift()!;
  };
  const send = (code: string): void => void program.stdin!.write(`${code}\n`);
  const client = sandbox.client(program.pid!);
  const write = async (path: string, words: string): Promise<string> => {
    try {
      await client.write(path, `${words}\n`);
      return '';
    } catch (error) {
      const { errno, message } = error as TraceError;
      return `${message} (${errno})`;
    }
  };
  const session: LivepatchSession = {
    sandbox,
    pid: program.pid!,
    send,
    next,
    evaluate(code) {
      send(code);
      return next();
    },
    read: (path) => client.read(path),
    list: async () => (await client.list('livepatch')).map(({ name }) => name),
    write,
    async patch(...patch) {
      const refused = await session.begin(...patch);
      const isOver = async (): Promise<boolean> => (await session.read(`livepatch/${patch[0]}/transition`)) === '0\n';
      if (refused === '') await until(isOver, 'all threads have gone over');
      return refused;
    },
    begin: (name, source, extension = 'mjs') =>
      write('livepatch/load', `${name} ${sandbox.file(`${name}.${extension}`, source)}`),
  };
  assert.equal(await session.evaluate('worker api.total({ price: 1 })'), '1');
  if (isAttached) assert.equal((await sandbox.fentry('attach', String(program.pid))).code, 0);
  return session;
}

/** Resolves when a patch is removed. */
export const gone = (session: LivepatchSession, name: string) =>
  until(async () => !(await session.list()).includes(name), `${name} is gone`);
