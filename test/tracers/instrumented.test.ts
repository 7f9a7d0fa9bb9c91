import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { runInThisContext } from 'node:vm';
import { instrument } from '../../src/v8/instrument/index.js';
import { assemble } from '../../src/v8/text/index.js';
import { createTraced } from '../../src/v8/tracers/testing/traced.js';

/** Traces a script's functions under function_graph while `main`, its last expression, runs; returns the graph's lines. */
async function graphOf(source: string, ...args: unknown[]): Promise<string[]> {
  const made = instrument(source, 'script');
  if (!('edits' in made)) throw new Error(made.unparsed);
  const names = made.functions.map(({ name }) => name);
  const kinds = Object.fromEntries(made.functions.map(({ name, kind }) => [name, kind]));
  const traced = createTraced(names, { kinds });
  const main = runInThisContext(assemble(source, made.edits, '$f', 0)) as (...args: unknown[]) => unknown;
  traced.start({ tracer: 'function_graph' });
  try {
    await main(...args);
    await turn();
  } finally {
    traced.stop();
  }
  const lines = traced.lines();
  let depth = 0;
  for (const line of lines) {
    const indent = /^ */.exec(line)![0].length / 2;
    if (line.includes(')')) depth--;
    assert.equal(indent, depth, `the depths follow from entries and exits:\n${lines.join('\n')}`);
    if (line.endsWith('(') || line.endsWith('(~')) depth++;
  }
  assert.equal(depth, 0, 'whatever was entered was left');
  return lines;
}

const tidy = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/^ {4}/, ''));

test('calls, returns of every shape, and a finally that overrides', async () => {
  const lines = await graphOf(`
    const arrow = (x) => x + 1;
    function bare(x) { if (x) return; arrow(x) }
    function overriding() { try { return arrow(1); } finally { return arrow(2); } }
    class Shop { get total() { return arrow(3); } }
    (function main() { bare(0); bare(1); overriding(); return new Shop().total; })`);
  assert.deepEqual(
    lines,
    tidy(`
    main(
      bare(
        arrow(
        )arrow
      )bare
      bare(
      )bare
      overriding(
        arrow(
        )arrow
        arrow(
        )arrow
      )overriding
      Shop.get.total(
        arrow(
        )arrow
      )Shop.get.total
    )main`),
  );
});

test('exceptions through several functions, caught, rethrown, with finally', async () => {
  const lines = await graphOf(`
    function fail() { throw new Error('no'); }
    function between() { fail(); }
    function clean() {}
    function rethrows() { try { between(); } catch (error) { clean(); throw error; } finally { clean(); } }
    (function main() { try { rethrows(); } catch { clean(); } clean(); })`);
  assert.deepEqual(
    lines,
    tidy(`
    main(
      rethrows(
        between(
          fail(
          )fail!
        )between!
        clean(
        )clean
        clean(
        )clean
      )rethrows!
      clean(
      )clean
      clean(
      )clean
    )main`),
  );
});

test('generators: spread, early break with finally, delegation', async () => {
  const lines = await graphOf(`
    function work() {}
    function* numbers() { try { yield 1; yield 2; } finally { work(); } }
    function* outer() { yield* numbers(); }
    (function main() { for (const n of numbers()) break; return [...outer()].length; })`);
  assert.deepEqual(lines.filter((line) => line.trim() === 'work(').length, 2);
  assert.equal(lines.at(-1), ')main');
});

test('async functions: interleaved requests, awaits in try, for await', async () => {
  const lines = await graphOf(
    `
    function work() {}
    async function* pages() { yield await 1; yield 2; }
    async function query(wait) { await wait(); work(); return 1; }
    async function request(wait) {
      let sum = 0;
      try { sum += await query(wait); await Promise.reject(new Error('no')); } catch { work(); sum += await query(wait); }
      for await (const page of pages()) sum += page;
      return sum;
    }
    (async function main(wait) { return Promise.all([request(wait), request(wait), request(wait)]); })`,
    () => turn(),
  );
  const roots = lines.filter((line) => !line.startsWith(' ') && line.includes('('));
  assert.ok(roots.length > 10, 'each comes back at the bottom, again and again');
  assert.ok(!lines.some((line) => /^ {2,}request\(~/.test(line)), 'a request never comes back inside another');
});

test('an async function that rejects after it waited', async () => {
  const lines = await graphOf(`
    function work() {}
    async function later() { work(); await 1; throw new Error('no'); }
    (async function main() {
      const promise = later();
      work();
      await Promise.allSettled([promise]);
      work();
    })`);
  assert.deepEqual(
    lines,
    tidy(`
    main(
      later(
        work(
        )work
      )later~
      work(
      )work
    )main~
    later(~
    )later!
    main(~
      work(
      )work
    )main`),
  );
});

test('a catch outlives the tracer that its try met', () => {
  const source = `(function main(stop) { try { stop(); throw 1 } catch (error) { return 'caught ' + error } })`;
  const made = instrument(source, 'script');
  if (!('edits' in made)) throw new Error(made.unparsed);
  const traced = createTraced(['main']);
  const main = runInThisContext(assemble(source, made.edits, '$f', 0)) as (stop: () => void) => string;
  traced.start({ tracer: 'function_graph' });
  assert.equal(
    main(() => traced.stop()),
    'caught 1',
  );
});
