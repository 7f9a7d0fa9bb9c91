import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_BREAKPOINTS } from '../../port/limits.js';
import { announcedText } from '../testing/announced-text.js';
import { ProcessSites } from './process-sites.js';
import { TextTable } from './text-table.js';

/** The sites of a process whose early text has so many functions. */
function sitesLoadedBefore(count: number): ProcessSites {
  const table = new TextTable();
  const names = Array.from({ length: count }, (_, n) => `early${n}`);
  table.link(announcedText(0, names, { isLoadedBefore: true }));
  const sites = new ProcessSites(table);
  sites.decode();
  return sites;
}

test('a text is decoded once, and functions without a site are not listed', () => {
  const table = new TextTable();
  const sites = new ProcessSites(table);
  table.link(announcedText(0, ['read', 'odd', 'write'], {}, { odd: 'with' }));
  assert.deepEqual([sites.decode(), sites.decode()], [[0, 2], []]);
  assert.deepEqual(sites.names().listed, [0, 2]);
  assert.deepEqual([sites.records.has(1), sites.records.has(2)], [false, true]);
});

test('a filter may name so many functions that need breakpoints, and not one more', () => {
  const sites = sitesLoadedBefore(MOST_BREAKPOINTS + 1);
  const all = [...Array(MOST_BREAKPOINTS + 1).keys()];
  sites.admitBreakpoints(new Set(all.slice(1)));
  assert.throws(() => sites.admitBreakpoints(new Set(all)), { errno: 'ENOSPC' });
  assert.equal(sites.countLoadedBefore, MOST_BREAKPOINTS + 1);
});

test('a function whose breakpoint was hit too often may have one again when a filter names it', () => {
  const sites = sitesLoadedBefore(2);
  for (const n of [0, 1]) sites.records.setOverheated(n, true);
  sites.admitBreakpoints(new Set([1]));
  assert.deepEqual([sites.records.isOverheated(0), sites.records.isOverheated(1)], [true, false]);
});
