import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as protocol from './protocol.js';
import { struct } from './struct.js';

test('members stand in their order, little-endian', () => {
  const example = struct({ a: 'u32', b: 'i32', c: 'u64', d: 'u16', e: 'u16' });
  const bytes = example.write({ a: 1, b: -2, c: 2 ** 40 + 3, d: 4 });
  assert.equal(bytes.toString('hex'), '01000000feffffff03000000000100000400' + '0000');
  assert.deepEqual(example.read(bytes, 0), { a: 1, b: -2, c: 2 ** 40 + 3, d: 4, e: 0 });
});

test('the structs have the sizes of linux/fuse.h', () => {
  const sizes = Object.entries(protocol).flatMap(([name, value]) =>
    typeof value === 'object' && 'read' in value ? [[name, value.size]] : [],
  );
  assert.deepEqual(Object.fromEntries(sizes), {
    IN_HEADER: 40,
    OUT_HEADER: 16,
    ENTRY_OUT: 128,
    ATTR_OUT: 104,
    SETATTR_IN: 88,
    MKNOD_IN: 16,
    MKDIR_IN: 8,
    OPEN_IN: 8,
    OPEN_OUT: 16,
    HANDLE_IN: 8,
    READ_IN: 40,
    WRITE_OUT: 8,
    INIT_IN: 16,
    INIT_OUT: 64,
    INTERRUPT_IN: 8,
    IOCTL_IN: 32,
    IOCTL_OUT: 16,
    POLL_IN: 24,
    POLL_OUT: 8,
    NOTIFY_POLL_OUT: 8,
    NOTIFY_STORE_OUT: 24,
    STATFS_OUT: 80,
    GETXATTR_IN: 8,
    GETXATTR_OUT: 8,
    DIRENT: 24,
  });
});
