import { Session } from 'node:inspector';
import { Script } from 'node:vm';
import type { FindCaller, WalkStack } from '../../call-stack.js';
import { createCapturedCallers } from '../../realm/capture-callers.js';
import { captureRealm } from '../../realm/capture-stack.js';
import { createFindPrinter } from '../../realm/find-printer.js';
import { Texts } from '../../realm/texts.js';
import { createWalkStack } from '../../realm/walk-stack.js';
import type { AnyFunction } from '../chain-code.js';
import { createBlock, placeChain } from '../place-chain.js';
import { rememberCallers } from '../remember-callers.js';

/**
 * A program whose functions call each other in all ways, while code is compiled, dies and moves: for each of its calls the
 * remembered caller must be the captured one. Prints the calls, those that were captured for the remembered answers, and the
 * first differences. Arguments: turns of the event loop; seed; `debugger`: one comes after half of them; `printer`: the
 * function is found that has called one of fentry's.
 */
const [turns = '30', seed = '1', ...words] = process.argv.slice(2);

const BASE = 0x81000000;
const texts = new Texts(new URL('../../', import.meta.url).href);
const foreign: string[] = [];
const addressOfForeign = (file: string, name: string | undefined): number => {
  const named = `${file} ${name}`;
  const at = foreign.indexOf(named);
  return at < 0 ? foreign.push(named) : at + 1;
};
let captures = 0;

/** Both ways to find the callers of functions with sites. */
function ofSites(): { readonly captured: FindCaller; readonly find: FindCaller } {
  const captured = createCapturedCallers(texts, addressOfForeign);
  const counted = {
    ...captured,
    find: (callee: AnyFunction): number => {
      captures++;
      return captured.find(callee);
    },
  };
  const realm = captureRealm();
  const chain = placeChain(realm);
  return { captured: captured.find, find: rememberCallers(counted, chain, createBlock(chain), realm.newWeakMap).find };
}

/** Both ways to find the functions that print. */
function ofPrinters(): ReturnType<typeof ofSites> {
  const walk = createWalkStack(texts, { addressOfForeign });
  const walkStack: WalkStack = (addresses, withAwaiting, callee) => {
    captures++;
    return walk(addresses, withAwaiting, callee);
  };
  const innermost = new Uint32Array(1);
  return {
    captured: (callee) => (walk(innermost, false, callee) === 0 ? 0 : innermost[0]!),
    find: createFindPrinter(texts, { addressOfForeign, walkStack, inCondition: () => false }),
  };
}

const { captured, find } = words.includes('printer') ? ofPrinters() : ofSites();

let calls = 0;
const wrong: string[] = [];
function site(): void {
  calls++;
  const remembered = find(site);
  const real = captured(site);
  if (remembered !== real && wrong.length < 9)
    wrong.push(`call ${calls}: ${remembered} instead of ${real}: ${new Error().stack}`);
}
/** A second trampoline. */
function otherSite(...args: unknown[]): number {
  calls++;
  const remembered = find(otherSite);
  const real = captured(otherSite);
  if (remembered !== real && wrong.length < 9)
    wrong.push(`call ${calls}: ${remembered} instead of ${real}: ${new Error().stack}`);
  return args.length;
}

const PROGRAM = `(function (site, other, random) {
  'use strict';
  const garbage = [];
  const leaf = (n) => { site(); return n + 1; };
  function small(n) { return leaf(n); }
  function twice(n) { return leaf(n) + leaf(n + 1); }
  function deep(n) { return n === 0 ? leaf(0) : deep(n - 1) + 1; }
  function odd(n) { return n === 0 ? leaf(0) : even(n - 1); }
  function even(n) { return n === 0 ? leaf(1) : odd(n - 1); }
  function fib(n) { site(); return n < 2 ? n : fib(n - 1) + fib(n - 2); }
  class A { constructor() { site(); this.x = 1; } get g() { site(); return 1; } set g(v) { site(); } m() { return leaf(1); } static s() { return leaf(2); } }
  class B extends A { constructor() { super(); other(1); } m() { return super.m() + 1; } }
  function* generator() { site(); yield leaf(1); yield small(2); site(); }
  async function waits() { site(); await null; leaf(1); small(2); await 1; twice(1); return leaf(3); }
  const thenable = { then(resolve) { site(); resolve(1); } };
  const proxy = new Proxy({}, { get() { site(); return 1; }, has() { leaf(1); return true; } });
  const closures = () => { const f = (n) => leaf(n) + 1; return f(1) + [1, 2].map(f)[0]; };
  const generated = () => {
    const f = new Function('leaf', 'site', 'return function made' + Math.floor(random() * 50) + '(n) { site(); ' + ' '.repeat(random() * 9) + 'return leaf(n); }')(leaf, site);
    let sum = 0;
    const times = random() < 0.1 ? 3000 : 3;
    for (let i = 0; i < times; i++) sum += f(i);
    return sum;
  };
  const made = [];
  const evaluated = () => {
    const f = (0, eval)('(function (leaf) { return (n) => { for (let i = 0; i < 2; i++) leaf(n); ' + ';'.repeat(random() * 5) + ' return leaf(n); } })')(leaf);
    made[Math.floor(random() * 20)] = f;
    let sum = 0;
    for (let i = 0; i < 30; i++) sum += f(i);
    return sum;
  };
  const older = () => made.reduce((sum, f) => sum + f(1), 0);
  const loop = (f, n) => { let sum = 0; for (let i = 0; i < n; i++) sum += f(i); return sum; };
  const polymorphic = [small, twice, leaf, (n) => leaf(n), (n) => small(n) + small(n)];
  const throwing = () => { try { leaf(1); throw new Error('x'); } catch { leaf(2); } finally { leaf(3); } };
  const works = [
    () => small(1), () => twice(1), () => deep(random() * 40 | 0), () => odd(random() * 9 | 0), () => fib(random() * 8 | 0),
    () => new A(), () => new B().m(), () => new A().g, () => { new A().g = 1; }, () => B.s(),
    () => { for (const x of generator()) leaf(x); }, () => [...generator()].length, () => { waits(); }, () => Promise.resolve(1).then(leaf).then(small),
    () => Promise.resolve(thenable), () => proxy.x, () => 'x' in proxy, closures, generated, evaluated, older,
    () => [3, 1, 2].sort((a, b) => leaf(a) - b), () => [1, 2, 3].map(leaf), () => [1, 2, 3].map((n) => small(n)), () => [1].forEach(small),
    () => [[1, 2], [3]].flatMap((a) => a.map(leaf)), () => JSON.parse('[1,2]', (k, v) => { leaf(1); return v; }), () => JSON.stringify({ toJSON: small }),
    () => 'abc'.replace(/b/, () => String(leaf(1))), () => leaf.call(null, 1), () => small.apply(null, [1]), () => small.bind(null, 1)(),
    () => Reflect.apply(twice, null, [1]), () => Reflect.construct(B, []), () => loop(polymorphic[random() * 5 | 0], random() * 60 | 0),
    () => loop(small, 2000), () => loop((n) => leaf(n), 2000), () => new Map([[1, 2]]).forEach(leaf), () => [...{ *[Symbol.iterator]() { yield leaf(1); } }],
    () => \`\${{ toString() { site(); return 'x'; } }}\`, () => +{ valueOf: () => leaf(1) }, () => setImmediate(leaf), () => setImmediate(() => small(1)),
    () => process.nextTick(small, 1), () => queueMicrotask(leaf), throwing, () => { garbage[random() * 5000 | 0] = Array.from({ length: 50 }, (_, i) => ({ i })); },
    () => { for (let i = 0; i < 400; i++) garbage[random() * 5000 | 0] = { i, text: 'x' + i }; }, () => { garbage[random() * 50 | 0] = new Array(20000).fill(0); },
    () => Array.from({ length: 3 }, (_, i) => leaf(i)), () => Object.fromEntries([[1, 2]].map(([k, v]) => [k, leaf(v)])), () => other(1, 2), () => loop(other, 200),
  ];
  return () => works[Math.floor(random() * works.length)]();
})`;

const filename = '/app/program.js';
texts.addPlain(filename, BASE);
let state = Number(seed) | 1;
/** xorshift */
const random = (): number => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) / 2 ** 32;
};
const work = (new Script(PROGRAM, { filename }).runInThisContext() as (...of: readonly unknown[]) => () => unknown)(
  site,
  otherSite,
  random,
);

const session = new Session();
let left = Number(turns);
function turn(): void {
  for (let i = 0; i < 200; i++) work();
  left--;
  if (words.includes('debugger') && left === Number(turns) >> 1) {
    session.connect();
    session.post('Debugger.enable');
  }
  if (left > 0) setImmediate(turn);
  else console.log(JSON.stringify({ calls, captures, wrong }));
}
turn();
