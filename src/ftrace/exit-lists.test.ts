import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../base/testing/random.js';
import { type ExitList, type ExitListener, ExitLists, KEPT_WANTS } from './exit-lists.js';

/** Listeners that say their names. */
function createListeners(count: number) {
  const told: number[] = [];
  const listeners = Array.from({ length: count }, (_, name) => ({ isGone: false, exited: () => void told.push(name) }));
  return { listeners, told: (): number[] => told.splice(0) };
}

const joinAll = (lists: ExitLists, listeners: readonly ExitListener[], bits = 0): number =>
  listeners.reduce((want, one) => lists.join(want, lists.wantOf(one)), bits);

test('a frame’s end is told to those who asked, in their order, beside the bits that no list has', () => {
  const lists = new ExitLists();
  const { listeners, told } = createListeners(3);
  const want = joinAll(lists, [listeners[2]!, listeners[0]!], 5);
  assert.equal(want & KEPT_WANTS, 5);
  lists.exited(want, 0, 0, undefined, false);
  assert.deepEqual(told(), [2, 0]);
  lists.exited(5, 0, 0, undefined, false);
  assert.deepEqual(told(), []);
  assert.equal(joinAll(lists, [listeners[2]!, listeners[0]!], 5), want, 'equal lists have one number');
});

test('a thousand listeners of one frame', () => {
  const lists = new ExitLists();
  const { listeners, told } = createListeners(1000);
  lists.exited(joinAll(lists, listeners), 0, 0, undefined, false);
  assert.deepEqual(told(), [...listeners.keys()]);
});

test('listeners come, go and sleep in any order: each frame calls those of its listeners that are left', () => {
  const SEED = Number(process.env['SEED'] ?? 1);
  for (let round = 0; round < 100; round++) {
    const random = seededRandom(SEED * 1000 + round);
    const lists = new ExitLists();
    const { listeners, told } = createListeners(60);
    const awake: { want: number; meant: number[] }[] = [];
    const asleep: { list: ExitList | undefined; meant: number[] }[] = [];
    const living = (): number[] => [...listeners.keys()].filter((name) => !listeners[name]!.isGone);
    const actions = [
      () => {
        const meant = living().filter(() => random(4) === 0);
        awake.push({
          want: joinAll(
            lists,
            meant.map((name) => listeners[name]!),
          ),
          meant,
        });
      },
      () => {
        for (const { want, meant } of awake.splice(random(awake.length + 1))) asleep.push({ list: lists.of(want), meant });
      },
      () => {
        for (const { list, meant } of asleep.splice(random(asleep.length + 1)))
          awake.push({ want: lists.wantAgain(list), meant });
      },
      () => {
        listeners[random(listeners.length)]!.isGone = true;
        lists.tidy(Int32Array.from(awake, ({ want }) => want));
      },
    ];
    for (let step = 0; step < 60; step++) {
      actions[random(actions.length)]!();
      for (const { want, meant } of awake) {
        lists.exited(want, 0, 0, undefined, false);
        assert.deepEqual(
          told(),
          meant.filter((name) => !listeners[name]!.isGone),
        );
      }
    }
    for (const listener of listeners) listener.isGone = true;
    lists.tidy(new Int32Array(0));
    assert.equal(lists.size, 1, 'nothing stays of those who are gone');
  }
});

test('lists that were asked for once do not stay for ever', () => {
  const lists = new ExitLists();
  const { listeners } = createListeners(14);
  for (let set = 0; set < 1 << 14; set++) {
    joinAll(
      lists,
      listeners.filter((_, name) => (set & (1 << name)) !== 0),
    );
    if (lists.areMany) lists.tidy(new Int32Array(0));
  }
  assert.ok(lists.size < 1200, String(lists.size));
});
