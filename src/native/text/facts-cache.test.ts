import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { CacheFolder } from '../../base/cache/cache-folder.js';
import { ElfFile, openElf } from '../elf/elf-file.js';
import { FileBytes } from '../elf/file-bytes.js';
import { compileText, without } from '../testing/toolchain.js';
import { FactsCache } from './facts-cache.js';
import { findFacts } from './find-facts.js';
import { linkObject } from './link-object.js';

const skip = process.arch === 'x64' ? without('gcc') : 'the program is for x86-64';
const PROGRAM = `
__attribute__((noinline, patchable_function_entry(5))) int nops(int n) { return n * 3; }
__attribute__((noinline)) int jumped(int n) { return n * nops(n) + 7; }
__attribute__((naked, noinline)) int spins(int n) { __asm__("1: dec %edi\\njnz 1b\\nret"); }
int main(int count, char **words) { (void)words; return jumped(count) + spins(count); }`;
const MAPPING = { base: 0x5000_0000, module: '', firstFunction: 0, jumps: true } as const;

/** An executable, and a folder for the cache. */
function prepared(t: TestContext): { readonly path: string; readonly folder: string } {
  const { file } = compileText(t, PROGRAM, ['gcc']);
  const folder = mkdtempSync(join(tmpdir(), 'fentry-facts-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return { path: file, folder: join(folder, 'build') };
}

/** How often functions had to be found for a link. */
function finds(path: string, folder: string): number {
  let count = 0;
  new FactsCache(new CacheFolder(folder)).get(openElf(path), true, () => {
    count++;
    return findFacts(openElf(path), true);
  });
  return count;
}

const cached = (folder: string): string => join(folder, readdirSync(folder).find((name) => name.endsWith('.functions'))!);

describe('what is known of the functions of an object', { skip }, () => {
  it('is the same from the cache: names, reasons, sites and the code that they go on with', (t) => {
    const { path, folder } = prepared(t);
    const texts = [undefined, 'found', 'cached'].map((cache) =>
      linkObject(openElf(path), MAPPING, cache === undefined ? undefined : new FactsCache(new CacheFolder(folder))),
    );
    const lines = texts.map(({ functions }) =>
      functions.map(({ start, end, name, kind, reason, unheard, hasCompiledSite, site }) => {
        const shape = site && { ...site, nop: site.nop, armed: site.armed(0x5100_0000, 'jump'), body: site.body(0x5200_0000) };
        return { start, end, name, kind, reason, unheard, hasCompiledSite, shape };
      }),
    );
    assert.deepEqual(lines[1], lines[0]);
    assert.deepEqual(lines[2], lines[0]);
    const named = (name: string) => lines[2]!.find((one) => one.name === name);
    assert.equal(named('nops')?.shape?.form, 'nop');
    assert.equal(named('nops')?.shape?.table, '__patchable_function_entries');
    assert.equal(named('jumped')?.shape?.form, 'jump');
    assert.match(named('spins')?.reason ?? '', /a loop goes back to its first instruction|a jump goes to the middle/);
  });

  it('is read from the cache without the object, of which a site is read when it is asked for', (t) => {
    const { path, folder } = prepared(t);
    finds(path, folder);
    const bytes = new FileBytes(path);
    const elf = new ElfFile(bytes, path);
    const { functions } = linkObject(elf, MAPPING, new FactsCache(new CacheFolder(folder)));
    const before = bytes.reads;
    assert(functions.map(({ name, reason, unheard }) => `${name}${reason}${unheard}`).length > 4);
    assert.equal(bytes.reads, before);
    assert.equal(functions.find(({ name }) => name === 'jumped')!.site!.form, 'jump');
    assert(bytes.reads <= before + 1);
  });

  it('is found again for another build, and for the same file after a change', (t) => {
    const { path, folder } = prepared(t);
    assert.deepEqual([finds(path, folder), finds(path, folder)], [1, 0]);
    const other = compileText(t, PROGRAM.replaceAll('nops', 'noops'), ['gcc']).file;
    assert.equal(finds(other, folder), 1);
    copyFileSync(other, path);
    assert.equal(finds(path, folder), 1);
    appendFileSync(path, 'more');
    assert.deepEqual([finds(path, folder), finds(path, folder)], [1, 0]);
  });

  it('is found again when the file of the cache is damaged, of another object, or may be another user’s', (t) => {
    const { path, folder } = prepared(t);
    finds(path, folder);
    const file = cached(folder);
    const whole = readFileSync(file);
    const other = whole.map((byte, i) => (i === whole.length - 200 ? byte ^ 1 : byte));
    for (const damaged of [other, whole.subarray(0, -1), whole.subarray(0, 20), Buffer.alloc(0), Buffer.concat([whole, whole])]) {
      writeFileSync(file, damaged);
      assert.equal(finds(path, folder), 1);
      // It was stored anew.
      assert.deepEqual(readFileSync(file), whole);
    }
    const foreign = compileText(t, PROGRAM, ['gcc', '-g']).file;
    const elsewhere = join(folder, '../other');
    finds(foreign, elsewhere);
    writeFileSync(file, readFileSync(cached(elsewhere)));
    assert.equal(finds(path, folder), 1);
    chmodSync(file, 0o666);
    assert.equal(finds(path, folder), 1);
    assert.equal(finds(path, folder), 0);
  });
});
