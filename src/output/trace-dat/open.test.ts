import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTraceDat } from './open.js';
import { functionRecord, graphEntry, graphExit, PageBuilder, printRecord } from './testing/page-builder.js';
import { temporaryFolder, writeRecording } from './testing/recording.js';
import { reportText } from './testing/report-text.js';
import { TraceDatError } from './trace-dat-error.js';

const F = 0xffffffff81000000n;

function pages(count: number): Buffer {
  const builder = new PageBuilder();
  for (let i = 0; i < count; i++) builder.event(1_000_000 + i, functionRecord(7, F, 0n)).endPage();
  return builder.bytes();
}

const firstError = (path: string): TraceDatError => {
  try {
    reportText(path);
  } catch (error) {
    assert.ok(error instanceof TraceDatError, String(error));
    return error;
  }
  assert.fail('it was read');
};

test('a file that is not a trace.dat is refused with what was found', (t) => {
  const path = join(temporaryFolder(t), 'x.dat');
  for (const [content, problem] of [
    ['', 'at byte 0: this is no trace.dat: it does not begin with 17 08 44 "tracing" (found an empty file)'],
    [
      '<html>hello</html>',
      'at byte 0: this is no trace.dat: it does not begin with 17 08 44 "tracing" (found 3c68746d6c3e68656c6c)',
    ],
    ['\x17\x08\x44tracing5\0\0\x08', 'at byte 10: version "5" of trace.dat is not known (6 and 7 are)'],
    ['\x17\x08\x44tracing7\0\x01\x08', 'at byte 12: big-endian recordings cannot be read'],
    ['\x17\x08\x44tracing7\0\0\x04', 'at byte 13: expected a size of 8 for a long, found 4'],
    [
      '\x17\x08\x44tracing7\0\0\x08\0\x10\0\0lz4\x001\0',
      'at byte 18: compressed with lz4, which fentry does not know (it reads none, zlib and zstd)',
    ],
    ['\x17\x08\x44tracing7\0\0\x08\0\x10', 'at byte 14: expected the size of a sub-buffer of 4 bytes, but only 2 are left'],
    [
      '\x17\x08\x44tracing7\0\0\x08\x11\x10\0\0',
      'at byte 14: expected the size of a sub-buffer (a power of two, 1024 to 524288), found 4113',
    ],
  ] as const) {
    writeFileSync(path, content, 'latin1');
    assert.equal(firstError(path).message, `${path}: ${problem}`);
  }
});

test('a missing file, a folder and a device are refused by name', (t) => {
  const folder = temporaryFolder(t);
  assert.equal(firstError(join(folder, 'none')).message, `${join(folder, 'none')}: cannot be read: no such file or directory`);
  assert.match(firstError(folder).message, /is not a regular file|it is a directory/);
  assert.match(firstError('/dev/null').message, /it is not a regular file/);
});

test('a recording cut in its data is read up to the cut', (t) => {
  const path = writeRecording(temporaryFolder(t), [pages(3), pages(2)]);
  truncateSync(path, readFileSync(path).length - 4096 - 100);
  const { text, result } = reportText(path);
  assert.equal(result.events, 3);
  assert.equal(text.match(/\[000\]/g)?.length, 3);
  assert.deepEqual(result.warnings, [`the file is cut: ${4096 + 100} bytes of events are missing at its end`]);
});

test('every truncated file is either refused with the place of the error or read with a warning', (t) => {
  const path = writeRecording(temporaryFolder(t), [pages(2)], { kallsyms: ['ffffffff81000000 t f\n'] });
  const whole = readFileSync(path);
  for (let length = 0; length < whole.length; length += length < 300 ? 1 : 131) {
    writeFileSync(path, whole.subarray(0, length));
    try {
      assert.notDeepEqual(reportText(path).result.warnings, [], `${length} bytes were read as if they were all`);
    } catch (error) {
      assert.ok(error instanceof TraceDatError, `${length} bytes: ${error}`);
    }
  }
});

test('garbage anywhere in a file never does worse than a clear error', (t) => {
  const builder = new PageBuilder();
  for (let i = 0; i < 40; i++) {
    builder.event(i * 1000, graphEntry(7, F, 1, 1, ['a', '"b"'])).event(i * 1000 + 500, graphExit(7, F, 1, 5n, 6n, 1, 'value'));
    builder.event(i * 1000 + 600, functionRecord(7, F, F, ['x'])).event(i * 1000 + 700, printRecord(7, F, 'text'));
  }
  const path = writeRecording(temporaryFolder(t), [builder.bytes(), pages(2)], {
    kallsyms: ['ffffffff81000000 t f\n'],
    cmdlines: [[7, 'node']],
  });
  const whole = readFileSync(path);
  let seed = 1;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let round = 0; round < 600; round++) {
    const broken = Buffer.from(whole);
    for (let flips = 1 + random(4); flips > 0; flips--) broken[random(broken.length)] = random(256);
    writeFileSync(path, broken);
    try {
      reportText(path);
    } catch (error) {
      assert.ok(error instanceof TraceDatError, `round ${round}: ${(error as Error).stack}`);
    }
  }
});

test('an error inside a table says where in the file', (t) => {
  const path = writeRecording(temporaryFolder(t), [pages(1)]);
  const bytes = readFileSync(path);
  const at = bytes.indexOf('ID: 1\n');
  bytes.write('XX', at);
  writeFileSync(path, bytes);
  const error = firstError(path);
  assert.match(error.message, /the format of event function has no line "ID: NUMBER"/);
  assert.equal(error.offset, bytes.indexOf('name: function'));
});

test('the tables are closed with the file when opening fails', (t) => {
  const path = join(temporaryFolder(t), 'x.dat');
  writeFileSync(path, 'x');
  for (let i = 0; i < 2000; i++) assert.throws(() => openTraceDat(path), TraceDatError);
});

test('damage in a file of many gigabytes is found without reading them', (t) => {
  const path = join(temporaryFolder(t), 'x.dat');
  const HUGE = 5 * 2 ** 30;
  for (const [start, problem] of [
    ['6\0\0\x08\0\x10\0\0header_book\0', /at byte 18: expected header_page, found "header_book"/],
    [`7\0\0\x08\0\x10\0\0none\0\0\x20${'\0'.repeat(7)}\0\0\0\0\0\0\0\0\0\0\0\0\x01`, /at byte 48: .*more than can be held/],
  ] as const) {
    writeFileSync(path, `\x17\x08\x44tracing${start}`, 'latin1');
    truncateSync(path, HUGE);
    assert.match(firstError(path).message, problem);
  }
});
