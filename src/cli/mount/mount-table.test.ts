import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMounted, parseMounts } from './mount-table.js';

const MOUNTS = parseMounts(`nodev /sys/kernel/tracing tracefs rw,relatime 0 0
tracefs /mnt/my\\040app fuse.fentry rw,user_id=0 0 0
tracefs /mnt/below fuse.fentry rw 0 0
tmpfs /mnt/below tmpfs rw 0 0
`);

test('names with blanks are read as they are', () => {
  assert.deepEqual(MOUNTS[1], { source: 'tracefs', directory: '/mnt/my app', type: 'fuse.fentry' });
});

test('a mount is fentry’s when nothing else lies on it', () => {
  assert.equal(isMounted('/mnt/my app', MOUNTS), true);
  assert.equal(isMounted('/mnt/below', MOUNTS), false);
  assert.equal(isMounted('/sys/kernel/tracing', MOUNTS), false);
  assert.equal(isMounted('/mnt', MOUNTS), false);
});
