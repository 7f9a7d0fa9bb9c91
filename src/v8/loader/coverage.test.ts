import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Texts } from '../realm/texts.js';
import { type CoverageReport, correctCoverage, laterName } from './coverage.js';

/** A text into whose second line 10 units were put, at offset 20. */
const texts = new Texts('file:///fentry/');
texts.add('/app/a.js', {
  base: 0,
  start: 0,
  length: 0,
  originalColumn: (_line, column) => column,
  originalOffset: (offset) => (offset <= 20 ? offset : Math.max(20, offset - 10)),
  insertedIn: () => new Map([[1, 10]]),
  compiledOffset: (offset) => offset,
  isInserted: () => false,
});

const report = (url: string, ...ranges: [start: number, end: number][]) => ({
  result: [{ url, functions: [{ ranges: ranges.map(([startOffset, endOffset]) => ({ startOffset, endOffset, count: 1 })) }] }],
});

test('ranges move back, and those of sites alone go', () => {
  const corrected = report('file:///app/a.js', [0, 60], [22, 29], [40, 50]);
  correctCoverage(corrected, texts);
  assert.deepEqual(corrected, report('file:///app/a.js', [0, 50], [30, 40]));
});

test('files without sites stay as they are', () => {
  const other = report('file:///app/b.js', [0, 60], [22, 29]);
  correctCoverage(other, texts);
  assert.deepEqual(other, report('file:///app/b.js', [0, 60], [22, 29]));
});

test('the line lengths beside a source map are the author’s', () => {
  const corrected = { result: [], 'source-map-cache': { 'file:///app/a.js': { lineLengths: [12, 40, 7] } } };
  correctCoverage(corrected, texts);
  assert.deepEqual(corrected['source-map-cache']['file:///app/a.js'].lineLengths, [12, 30, 7]);
});

test('fentry’s own files go, with their maps', () => {
  const own = { lineLengths: [1] };
  const both: CoverageReport = {
    result: [...report('file:///fentry/agent.cjs', [0, 1]).result, ...report('file:///app/b.js', [0, 60]).result],
    'source-map-cache': { 'file:///fentry/agent.cjs': own, 'file:///app/b.js': { lineLengths: [2] } },
  };
  correctCoverage(both, texts);
  assert.deepEqual(both, {
    ...report('file:///app/b.js', [0, 60]),
    'source-map-cache': { 'file:///app/b.js': { lineLengths: [2] } },
  });
  const alone: CoverageReport = { result: [], 'source-map-cache': { 'file:///fentry/agent.cjs': own } };
  correctCoverage(alone, texts);
  assert.deepEqual(alone, { result: [] });
});

test('a corrected report comes after those that Node writes later', () => {
  const [own, later] = ['coverage-71-1795716590322-0.json', 'coverage-71-1795716590734-1.json'];
  assert.equal(laterName(own), 'coverage-71-1795802990322-0.json');
  assert.ok(laterName(own) > later);
});
