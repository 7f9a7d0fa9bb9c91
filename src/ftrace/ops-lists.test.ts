import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpsLists } from './ops-lists.js';

test('equal lists have one number, the empty one is 0, and each is told of once', () => {
  const lists = new OpsLists();
  const first = lists.numberOf([0, -1]);
  const second = lists.numberOf([0]);
  assert.deepEqual([lists.numberOf([0, -1]), lists.numberOf([])], [first, 0]);
  assert.notEqual(first, second);
  assert.deepEqual(lists.takeAdded(), [
    { list: first, ops: [0, -1] },
    { list: second, ops: [0] },
  ]);
  assert.deepEqual(lists.takeAdded(), []);
});

test('the number of a list is given again only when what took its last site away is planned', () => {
  const lists = new OpsLists();
  const first = lists.numberOf([1]);
  lists.change(Uint32Array.of(0, 0), Uint32Array.of(first, first));
  const second = lists.numberOf([2]);
  assert.notEqual(second, first);
  lists.change(Uint32Array.of(first), Uint32Array.of(second));
  assert.equal(lists.numberOf([1]), first, 'one site still calls it');
  lists.change(Uint32Array.of(first), Uint32Array.of(0));
  assert.equal(lists.size, 1);
  assert.equal(lists.numberOf([3]), first);
});

test('a list that one patch takes a site from and gives another stays', () => {
  const lists = new OpsLists();
  const [first, second] = [lists.numberOf([1]), lists.numberOf([2])];
  lists.change(Uint32Array.of(0, 0), Uint32Array.of(first, second));
  lists.change(Uint32Array.of(first, second), Uint32Array.of(second, first));
  assert.deepEqual([lists.numberOf([1]), lists.numberOf([2])], [first, second]);
});
