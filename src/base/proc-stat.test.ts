import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { procStat, STAT } from './proc-stat.js';

test('the fields follow the name, whatever that contains', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-stat-'));
  t.after(() => rmSync(folder, { recursive: true }));
  assert.equal(procStat(folder), undefined);
  writeFileSync(join(folder, 'stat'), '7 (a) S 1 (b\n) T 42 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 123456 0\n');
  const fields = procStat(folder)!;
  assert.deepEqual([fields[STAT.STATE], fields[STAT.PARENT], fields[STAT.START]], ['T', '42', '123456']);
  assert.equal(procStat('/proc/self')![STAT.PARENT], String(process.ppid));
});
