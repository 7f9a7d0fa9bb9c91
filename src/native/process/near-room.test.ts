import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nearRoom, textGroups } from './near-room.js';
import { parseMaps } from './process-maps.js';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

const PIE = parseMaps(`5581c9a00000-5581c9b00000 r-xp 00000000 fe:00 11 /bin/server
5581c9c00000-5581c9c20000 rw-p 00000000 00:00 0 [heap]
7f0010000000-7f0010200000 r-xp 00000000 fe:00 12 /lib/libc.so.6
7ffd10000000-7ffd10020000 rw-p 00000000 00:00 0 [stack]
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]`);
const NO_PIE = parseMaps('00400000-08000000 r-xp 00000000 fe:00 11 /bin/node\n08200000-08300000 rw-p 00000000 00:00 0 [heap]');

describe('room near texts', () => {
  it('is below an executable, so that its heap can grow', () => {
    assert.equal(nearRoom(PIE, [PIE[0]!], 64 * MIB), 0x5581c99f0000 - 64 * MIB);
  });

  it('is far above an executable below which nothing fits', () => {
    const room = nearRoom(NO_PIE, [NO_PIE[0]!], 64 * MIB)!;
    assert.ok(room >= GIB && room < 2 * GIB - 64 * MIB, room.toString(16));
  });

  it('does not exist for texts that are too far from each other', () => {
    assert.equal(nearRoom(PIE, [PIE[0]!, PIE[2]!], 64 * MIB), undefined);
  });

  it('is looked for in groups', () => {
    const texts = PIE.filter(({ permissions }) => permissions === 'r-xp');
    const groups = textGroups(PIE, texts);
    assert.deepEqual(
      groups.map((group) => group.texts.map(({ path }) => path)),
      [['/bin/server'], ['/lib/libc.so.6']],
    );
    for (const { room, texts } of groups) assert.equal(nearRoom(PIE, texts, 64 * MIB), room.start);
  });

  it('is split where no region is within reach of all, and smaller where there is no larger one', () => {
    const mapped = (start: number, end: number) => ({ start: start * MIB, end: end * MIB });
    const [low, high] = [mapped(3000, 3010), mapped(4500, 4510)];
    const between = mapped(3010, 4500);
    const others = [low, high, between, mapped(4510, 9000)];
    const split = textGroups([...others, mapped(0, 2500)], [low, high]);
    assert.deepEqual(
      split.map(({ texts }) => texts),
      [[low, high]],
    );
    // Below is room for the lower one alone.
    const far = textGroups([low, between, high, mapped(4510, 6400), mapped(0, 2400), mapped(2500, 3000)], [low, high]);
    assert.deepEqual(
      far.map(({ texts }) => texts),
      [[low], [high]],
    );
    const [small] = textGroups([...others, mapped(0, 2970)], [low, high]);
    assert.equal(small!.room.end - small!.room.start, 16 * MIB);
    assert.deepEqual(textGroups([mapped(0, 9000)], [low]), []);
  });

  it('does not count on what is taken by other groups', () => {
    const [one, two] = [1, 5000].map((at) => ({ start: at * GIB, end: at * GIB + MIB }));
    const rooms = textGroups([one!, two!], [one!, two!]).map(({ room }) => room);
    assert.ok(rooms[0]!.end <= rooms[1]!.start);
  });
});
