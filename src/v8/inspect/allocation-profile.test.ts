import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AllocationProfile, type ProfileNode } from './allocation-profile.js';
import { AuthorFrames } from './author-frames.js';

const node = (functionName: string, selfSize: number, children: readonly ProfileNode[] = [], line = 0): ProfileNode => ({
  callFrame: {
    functionName,
    scriptId: line === 0 ? '0' : '7',
    url: line === 0 ? '' : '/srv/shop/cart.js',
    lineNumber: line - 1,
    columnNumber: line === 0 ? -1 : 4,
  },
  selfSize,
  children,
});

test('what is built in counts for its caller, what nobody calls for itself, and both times are joined', () => {
  const profile = new AllocationProfile(new AuthorFrames());
  profile.add(
    'allocated',
    node('(root)', 8, [node('(V8 API)', 16), node('add', 100, [node('map', 50, [node('each', 7, [], 9)])], 3)]),
  );
  profile.add('kept', node('(root)', 0, [node('add', 40, [], 3)]));
  const { functions, stacks } = profile.result();
  assert.deepEqual(
    functions.map(({ name, place, isOwn, allocated, kept }) => [name, place?.line, isOwn, allocated, kept]),
    [
      ['add', 3, true, 150, 40],
      ['(V8 API)', undefined, false, 16, 0],
      ['(root)', undefined, false, 8, 0],
      ['each', 9, true, 7, 0],
    ],
  );
  assert.deepEqual(
    stacks.map((stack) => [stack.functions.map((index) => functions[index]!.name).join(), stack.allocated, stack.kept]),
    [
      ['add', 150, 40],
      ['(V8 API)', 16, 0],
      ['(root)', 8, 0],
      ['add,each', 7, 0],
    ],
  );
});

test('a recursion is cut, and its bytes count for the last call that is kept', () => {
  let deep = node('walk', 1, [], 5);
  for (let i = 0; i < 1000; i++) deep = node('walk', 1, [deep], 5);
  const profile = new AllocationProfile(new AuthorFrames());
  profile.add('allocated', node('(root)', 0, [deep]));
  const { functions, stacks } = profile.result();
  assert.deepEqual(
    functions.map(({ allocated }) => allocated),
    [1001],
  );
  assert.equal(Math.max(...stacks.map((stack) => stack.functions.length)), 200);
});

test('a function of a text without a name, or whose text has gone, is the application’s, and has no place', () => {
  const gone = node('late', 30);
  const unplaced = { ...gone, callFrame: { ...gone.callFrame, scriptId: '12' } };
  const profile = new AllocationProfile(new AuthorFrames());
  profile.add('allocated', node('(root)', 0, [node('add', 100, [unplaced], 3)]));
  assert.deepEqual(profile.result().functions.slice(1), [{ name: 'late', isOwn: true, allocated: 30, kept: 0 }]);
});
