import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Long } from '../../events/c-types.js';
import type { GlobalVariable, ScriptLimits } from '../program.js';
import type { ScriptType } from '../script-type.js';
import { ArrayTable } from './array-table.js';
import { viewOf } from './cells.js';
import { layoutOf } from './layout.js';

/** An array as two threads see it. */
function arrayOf(keys: readonly ScriptType[], more: Partial<GlobalVariable> = {}): readonly [ArrayTable, ArrayTable] {
  const global = { name: 'a', type: 'long', keys, maxEntries: 4, ...more } as GlobalVariable;
  const limits = { MAXSTRINGLEN: 32 } as ScriptLimits;
  const { globals, sharedWords, keyWords } = layoutOf({ language: 'stap', globals: [global], limits, handlers: [] });
  const [layout] = globals;
  assert.ok(layout?.kind === 'array');
  const memory = new SharedArrayBuffer(4 * sharedWords);
  const open = (): ArrayTable => new ArrayTable(viewOf(memory), layout, new Int32Array(keyWords));
  return [open(), open()];
}

const shown = (table: ArrayTable): readonly (readonly [Long | string, Long])[] =>
  table.entries().map((entry) => [table.key(entry, 0), table.long(entry)]);

/** A sequence that is the same each time. */
function* numbers(below: number): Generator<number, never> {
  for (let state = 12345; ; ) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    yield (state >> 8) % below;
  }
}

for (const kind of ['long', 'string'] as const) {
  test(`an array of ${kind}s has what a Map has, in the same order, whichever thread does it`, () => {
    const tables = arrayOf([kind], { maxEntries: 6 });
    const model = new Map<number, number>();
    const next = numbers(1 << 20);
    for (let i = 0; i < 20_000; i++) {
      const table = tables[next.next().value & 1]!;
      // Mostly the key that was used last, as a call's entry and end do.
      const key = next.next().value % 3 === 0 ? next.next().value % 8 : 7;
      const find = (insert: boolean): number => {
        if (kind === 'long') return insert ? table.insertLong(key) : table.findLong(key);
        table.put(0, `key ${key}`);
        return insert ? table.insert() : table.find();
      };
      if (next.next().value % 500 === 0) {
        table.clear();
        model.clear();
      } else if ((next.next().value & 1) === 0) {
        const entry = find(true);
        assert.equal(entry === 0, !model.has(key) && model.size === 6);
        if (entry === 0) continue;
        assert.equal(table.long(entry), model.get(key) ?? 0, 'what is made has no value of what was removed');
        table.setLong(entry, i);
        model.set(key, i);
      } else {
        const entry = find(false);
        assert.equal(entry !== 0, model.has(key));
        table.remove(entry);
        model.delete(key);
      }
      assert.equal(tables[0].size, model.size);
      const expected = [...model].map(([one, value]) => [kind === 'long' ? one : `key ${one}`, value]);
      assert.deepEqual(shown(tables[1]), expected);
    }
  });
}

test('what was removed last takes no room of an array that wraps, and does not come back by a new order', () => {
  const [table] = arrayOf(['long'], { wraps: true });
  for (let key = 1; key <= 4; key++) table.setLong(table.insertLong(key), key);
  table.remove(table.findLong(1));
  table.setLong(table.insertLong(5), 5);
  assert.deepEqual(shown(table), [
    [2, 2],
    [3, 3],
    [4, 4],
    [5, 5],
  ]);
  table.remove(table.findLong(5));
  table.reorder(table.entries().reverse());
  table.setLong(table.insertLong(5), 6);
  table.setLong(table.insertLong(6), 7);
  assert.deepEqual(shown(table), [
    [3, 3],
    [2, 2],
    [5, 6],
    [6, 7],
  ]);
});
