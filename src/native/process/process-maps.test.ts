import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mappedObjects, parseMaps } from './process-maps.js';

/** The maps of a Node 24: V8 has mapped its builtins again, beside the code of two isolates. */
const MAPS = parseMaps(`00400000-00746000 r--p 00000000 fe:00 7 /bin/node
0074a000-03044000 r-xp 0034a000 fe:00 7 /bin/node
06b56000-06b7d000 rw-p 06755000 fe:00 7 /bin/node
7fe0d0000000-7fe0efdc0000 rwxp 00000000 00:00 0
7fe0efdc0000-7fe0effc5000 r-xp 01627000 fe:00 7 /bin/node
7fe127dc0000-7fe127fc5000 r-xp 01627000 fe:00 7 /bin/node
7fe147b64000-7fe147b8a000 r--p 00000000 fe:00 8 /lib/libc.so.6
7fe147b8a000-7fe147cba000 r-xp 00026000 fe:00 8 /lib/libc.so.6
7fe157b64000-7fe157b8a000 r--p 00000000 fe:00 8 /lib/libc.so.6
7fe157b8a000-7fe157cba000 r-xp 00026000 fe:00 8 /lib/libc.so.6
7fe160000000-7fe160100000 r--p 00000000 fe:00 9 /share/icudt.dat`);

describe('the objects of a process', () => {
  it('are its files with text, once for each time that they are loaded, without parts that are mapped by themselves', () => {
    assert.deepEqual(
      mappedObjects(MAPS).map(({ path, ranges }) => [path, ...ranges.map(({ start }) => start)]),
      [
        ['/bin/node', 0x400000, 0x74a000, 0x6b56000],
        ['/lib/libc.so.6', 0x7fe147b64000, 0x7fe147b8a000],
        ['/lib/libc.so.6', 0x7fe157b64000, 0x7fe157b8a000],
      ],
    );
  });
});
