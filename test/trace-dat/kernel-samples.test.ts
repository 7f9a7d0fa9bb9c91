import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as zlib from 'node:zlib';
import { openTraceDat } from '../../src/output/trace-dat/open.js';
import { temporaryFolder } from '../../src/output/trace-dat/testing/recording.js';
import { reportText } from '../../src/output/trace-dat/testing/report-text.js';
import { samples, unpack } from './samples.js';

const nodeHasZstd = 'zstdDecompressSync' in zlib;

for (const sample of samples()) {
  const needsZstd = sample.name === 'zstd';
  const skip = needsZstd && !nodeHasZstd ? `Node ${process.versions.node} has no zstd` : false;
  test(`${sample.name}: reported as trace-cmd reports it, byte for byte`, { skip }, (t) => {
    const { text, result } = reportText(unpack(sample, temporaryFolder(t)));
    assert.equal(text, sample.report);
    assert.deepEqual(result.warnings, []);
  });
}

test('zstd is refused with what to do where Node has none', { skip: nodeHasZstd ? 'this Node has zstd' : false }, (t) => {
  const zstd = samples().find(({ name }) => name === 'zstd')!;
  assert.throws(
    () => openTraceDat(unpack(zstd, temporaryFolder(t))),
    /compressed with zstd.*Node 22\.15 and later.*--compression none/,
  );
});

test('versions 6 and 7 are told apart', (t) => {
  const versions = samples()
    .filter(({ name }) => name !== 'zstd')
    .map((sample) => {
      const dat = openTraceDat(unpack(sample, temporaryFolder(t)));
      dat.file.close();
      return [sample.name, dat.version];
    });
  assert.equal(Object.fromEntries(versions)['version6'], 6);
  assert.equal(Object.fromEntries(versions)['function'], 7);
});
