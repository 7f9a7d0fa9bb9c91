import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeapThread } from '../../../answers/heap/heap-answer.js';
import { heapNameText, pathText } from '../../../answers/heap/heap-path-text.js';
import { AuthorFrames } from '../author-frames.js';
import { MadeUpHeap, type MadeUpNode } from '../testing/made-up-snapshot.js';
import { HeapCensus } from './heap-census.js';
import { heapResult } from './heap-result.js';

const STYLE = { folder: '/srv/shop' };
const SESSION = '/srv/shop/lib/session.mjs';

/** What is found of two heaps; `make` puts into each what there is of a number of things. */
function compared(make: (heap: MadeUpHeap, things: number, module: (variables: Record<string, MadeUpNode>) => void) => void) {
  const census = new HeapCensus();
  for (const [point, things] of [
    [0, 3],
    [1, 1003],
  ] as const) {
    const heap = new MadeUpHeap();
    make(heap, things, (variables) => {
      const holder = heap.closure('start', SESSION, 1, heap.context(variables));
      heap.root.edges.push(['element', 2, holder]);
    });
    census.add(heap.graph(), point);
  }
  return heapResult(census, new AuthorFrames());
}

/** `+1000 listener() lib/session.mjs:8 in WAY`, for each way of each constructor. */
const grown = ({ constructors }: Pick<HeapThread, 'constructors'>): readonly string[] =>
  constructors.flatMap((one) =>
    one.paths.map(
      ({ growth, steps }) => `+${growth.count} ${growth.bytes} ${heapNameText(one, STYLE)} in ${pathText(steps, STYLE)}`,
    ),
  );

test('listeners that nobody removes are held by a module’s variable, and hold what their function sees', () => {
  const result = compared((heap, things, module) => {
    const list = heap.node('object', 'Array', 16);
    const elements = heap.node('array', '', 8 * things);
    list.edges.push(['internal', 'elements', elements]);
    for (let i = 0; i < things; i++) {
      const session = heap.node('object', 'Session', 24, [SESSION.length, 3, 0]);
      const big = heap.node('object', 'ArrayBuffer', 80);
      big.edges.push(['internal', 'backing_store', heap.node('native', 'system / JSArrayBufferData', 920)]);
      session.edges.push(['property', 'big', big]);
      const listener = heap.closure('listener', SESSION, 8, heap.context({ session }, heap.context({})));
      list.edges.push(['element', i, listener]);
      elements.edges.push(['internal', String(i), listener]);
    }
    const events = heap.node('object', 'Object');
    events.edges.push(['property', 'update', list]);
    const bus = heap.node('object', 'EventEmitter');
    bus.edges.push(['property', '_events', events]);
    module({ bus });
  });
  const way = 'bus of lib/session.mjs -> EventEmitter#_events -> Object#update';
  assert.deepEqual(grown(result), [
    `+1000 1000000 ArrayBuffer in ${way} -> Array[*] -> listener() lib/session.mjs:8 (variable session) -> Session#big`,
    `+1000 144000 listener() lib/session.mjs:8 in ${way} -> Array[*]`,
    `+1000 24000 Session in ${way} -> Array[*] -> listener() lib/session.mjs:8 (variable session)`,
    `+0 8000 Array in ${way}`,
  ]);
  const [holder] = result.holders;
  assert.equal(pathText(holder!.steps, STYLE), `${way} -> Array[*]`);
  assert.deepEqual(holder!.growth, { count: 3000, bytes: 1_168_000 });
  assert.deepEqual(
    holder!.parts.map((part) => [result.constructors[part.constructor]!.name, part.growth.count]),
    [
      ['ArrayBuffer', 1000],
      ['listener', 1000],
      ['Session', 1000],
    ],
  );
  assert.ok(holder!.steps[0]!.isOwn && !holder!.steps[1]!.isOwn);
});

test('a Map that only grows, and a dictionary, hold entries whose names are not told apart', () => {
  const result = compared((heap, things, module) => {
    const cache = heap.node('object', 'Map');
    const table = heap.node('array', '', 24 * things);
    cache.edges.push(['internal', 'table', table]);
    const users = heap.node('object', 'Object');
    for (let i = 0; i < things; i++) {
      table.edges.push(['internal', String(3 * i), heap.node('string', `key ${i}`, 16)]);
      table.edges.push(['internal', String(3 * i + 1), heap.node('object', 'Entry', 100)]);
      users.edges.push(['property', `user${i}`, heap.node('object', 'User', 10)]);
    }
    module({ cache, users });
  });
  assert.deepEqual(grown(result), [
    '+1000 100000 Entry in cache of lib/session.mjs -> Map entry',
    '+0 24000 Map in cache of lib/session.mjs',
    '+1000 16000 string in cache of lib/session.mjs -> Map entry',
    '+987 9870 User in users of lib/session.mjs -> Object#*',
  ]);
});

test('a list of any length is one way, and so is a tree', () => {
  const result = compared((heap, things, module) => {
    let head = heap.node('object', 'Item');
    for (let i = 0; i < 50 * things; i++) {
      const next = heap.node('object', 'Item');
      next.edges.push(['property', 'next', head]);
      head.edges.push(['property', 'prev', next]);
      head = next;
    }
    const tree: MadeUpNode[] = [heap.node('object', 'Tree')];
    for (let i = 1; i < things; i++) {
      tree.push(heap.node('object', 'Tree'));
      tree[(i - 1) >> 1]!.edges.push(['property', i % 2 === 1 ? 'left' : 'right', tree[i]!]);
    }
    module({ head, tree: tree[0]! });
  });
  const [list, ...trees] = grown(result);
  assert.equal(list, '+50000 400000 Item in head of lib/session.mjs -> Item#next ...');
  assert.ok(trees.length > 0 && trees.length <= 5, trees.join('\n'));
  for (const way of trees) assert.match(way, / Tree in tree of lib\/session\.mjs(?: -> Tree#(?:left|right)(?: \.\.\.)?)+$/);
});

test('any number of constructors with any names is shown in bounded space', () => {
  const hostile = 'a\n\u001b[31m'.repeat(200);
  const result = compared((heap, things, module) => {
    const all = heap.node('object', 'Array');
    for (let i = 0; i < 5 * things; i++) {
      all.edges.push(['element', i, heap.node('object', `${hostile}${i}`, 8, [SESSION.length, i, 0])]);
    }
    module({ all });
  });
  assert.ok(result.constructors.length <= 600);
  assert.equal(result.constructors.length + result.others.constructors, 5 * 1003 + 3);
  for (const one of result.constructors) {
    const text = heapNameText(one, STYLE);
    assert.ok(text.length < 400 && !/[\n\u001b]/.test(text), JSON.stringify(text));
  }
});

test('the way that says most is taken: not by code, prototypes, caches or links back', () => {
  const result = compared((heap, things, module) => {
    const held = heap.node('object', 'Held', 8 * things);
    const cache = heap.node('synthetic', '(Compilation cache)', 0);
    const roots = heap.node('synthetic', '(GC roots)', 0);
    heap.root.edges.push(['element', 3, roots]);
    roots.edges.push(['element', 1, cache]);
    cache.edges.push(['element', 1, held]);
    const outer = heap.node('object', 'Outer');
    const inner = heap.node('object', 'Inner');
    outer.edges.push(['property', '__proto__', held], ['property', 'inner', inner]);
    inner.edges.push(['property', 'parent', held], ['property', 'content', heap.node('object', 'Content')]);
    inner.edges.at(-1)![2].edges.push(['property', 'held', held]);
    module({ outer });
  });
  assert.deepEqual(grown(result), ['+0 8000 Held in outer of lib/session.mjs -> Outer#inner -> Inner#content -> Content#held']);
});
