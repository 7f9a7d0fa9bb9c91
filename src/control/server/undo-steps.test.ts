import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TraceError } from '../../base/errno.js';
import type { TraceDirectory, TraceFile } from '../tracefs/node.js';
import { directory } from '../tracefs/path.js';
import { UndoSteps } from './undo-steps.js';

/** A tree with a file and a folder for instances; what is written and made goes into `said`. */
function tree(said: string[], busy = 0): TraceDirectory {
  const file: TraceFile = {
    kind: 'file',
    mode: 0o640,
    open: ({ truncate }) => ({
      read: () => new Uint8Array(0),
      write: (bytes) => void said.push(`${truncate ? '>' : '>>'} ${Buffer.from(bytes).toString().trimEnd()}`),
      release() {},
    }),
  };
  const made = new Map<string, TraceDirectory>();
  let left = busy;
  const instances: TraceDirectory = {
    kind: 'directory',
    mode: 0o750,
    names: () => made.keys(),
    subdirectories: () => made.size,
    get: (name) => made.get(name),
    mkdir: (name) => void made.set(name, directory({})),
    rmdir(name) {
      if (left-- > 0) throw new TraceError('EBUSY');
      made.delete(name);
      said.push(`rmdir ${name}`);
    },
  };
  return directory({ file, instances });
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the end of a session makes the writes, and removes the directories that are there only for it', async () => {
  const said: string[] = [];
  const undo = new UndoSteps(tree(said));
  await undo.mkdir('instances/a');
  await undo.mkdir('instances/b');
  undo.set([{ path: 'file', text: '1' }]);
  undo.set([
    { path: 'missing', text: '1' },
    { path: 'file', text: '0' },
  ]);
  await undo.end();
  await settled();
  assert.deepEqual(said, ['> 0', 'rmdir b', 'rmdir a']);
});

test('a directory that was asked for before the end and made after it is removed', async () => {
  const said: string[] = [];
  const undo = new UndoSteps(tree(said));
  await undo.end();
  await undo.mkdir('instances/late');
  await settled();
  assert.deepEqual(said, ['rmdir late']);
});

test('a directory that is in use is removed later', async () => {
  const said: string[] = [];
  const undo = new UndoSteps(tree(said, 2));
  await undo.mkdir('instances/a');
  await undo.end();
  while (said.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(said, ['rmdir a']);
});

test('steps that are none are refused', () => {
  const undo = new UndoSteps(tree([]));
  for (const steps of [
    undefined,
    1,
    [1],
    [{ path: 'file' }],
    [{ text: '' }],
    Array.from({ length: 300 }, () => ({ path: '', text: '' })),
  ])
    assert.throws(() => undo.set(steps), /steps must be at most 256/);
});
