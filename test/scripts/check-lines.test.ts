import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

/** What the check says of one source file. */
function check(source: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-lines-'));
  try {
    for (const name of ['src', 'test', 'scripts', 'bench']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ formatter: { lineWidth: 40 } }));
    writeFileSync(join(folder, 'src/a.ts'), source);
    const { stdout, status } = spawnSync(process.execPath, [resolve('scripts/check-lines.mjs')], {
      cwd: folder,
      encoding: 'utf8',
    });
    const lines = stdout.trim().split('\n').slice(0, -1);
    assert.equal(status, lines.length === 0 ? 0 : 1);
    return lines;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a comment that is longer than code may be is named, a text that is longer is not', () => {
  const words = 'word '.repeat(10);
  assert.deepEqual(check(`const a = '${words}';\n  // ${words}\n`), ['src/a.ts:2: a comment of 55 characters; at most 40 fit']);
});

test('a doc comment that begins with a word for what stands elsewhere is named', () => {
  assert.deepEqual(check('/** Makes one. */\n/**\n * The same\n * twice.\n */\n/** Item. */'), [
    'src/a.ts:2: a doc comment begins with "The same": name what it is about',
  ]);
});
