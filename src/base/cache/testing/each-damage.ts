import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

/**
 * Damages a file in each way: one bit of each byte, then cuts from its end to its beginning, of which the last leaves nothing. In
 * its place, because to write a whole file again takes milliseconds on some file systems.
 * @param check called after each damage, with words for it
 * @param step only each so many bytes
 */
export function eachDamage(path: string, check: (damage: string) => void, step = 1): void {
  const fd = openSync(path, 'r+');
  try {
    const { size } = fstatSync(fd);
    const good = Buffer.alloc(1);
    for (let at = 0; at < size; at += step) {
      readSync(fd, good, 0, 1, at);
      writeSync(fd, Uint8Array.of(good[0]! ^ (1 << (at % 8))), 0, 1, at);
      check(`byte ${at} flipped`);
      writeSync(fd, good, 0, 1, at);
    }
    for (let at = size - 1; at > 0; at -= step) {
      ftruncateSync(fd, at);
      check(`cut to ${at} bytes`);
    }
    ftruncateSync(fd, 0);
    check('cut to nothing');
  } finally {
    closeSync(fd);
  }
}
