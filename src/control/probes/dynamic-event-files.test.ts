import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLines } from './dynamic-event-files.js';

test('a command ends at its line, at the end of the write, or at a comment', () => {
  assert.deepEqual([...commandLines('p:x vfs_read\n  r:y vfs_read # slow\n-:z')], ['p:x vfs_read', 'r:y vfs_read ', '-:z']);
});

test('blank lines and comments are no commands', () => {
  assert.deepEqual([...commandLines('p:x Bag.add this.#sum this->#sum # all')], ['p:x Bag.add this.#sum this->#sum ']);
  assert.deepEqual([...commandLines('\n   \n# p:x vfs_read\n')], []);
});

test('a NUL in a line is refused after the lines before it', () => {
  const lines = commandLines('p:x vfs_read\n\0\n');
  assert.equal(lines.next().value, 'p:x vfs_read');
  assert.throws(() => lines.next(), { errno: 'EINVAL' });
});

test('a line that is too long is refused after those before it', () => {
  const lines = commandLines(`p:x vfs_read\n${'a'.repeat(4095)}`);
  assert.equal(lines.next().value, 'p:x vfs_read');
  assert.throws(() => lines.next(), { errno: 'EINVAL' });
});
