import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as zlib from 'node:zlib';
import { attempt } from '../../base/attempt.js';
import { ElfFile } from '../elf/elf-file.js';
import { debugOf, memory, register } from '../testing/debug-fetches.js';
import { compile, testFolder } from '../testing/programs.js';
import { without } from '../testing/toolchain.js';

const SOURCE = `
struct big { long words[3]; };
struct pair { int first; unsigned second; };
typedef struct { struct { short x, y; }; const char *names[2]; } shape;
__attribute__((noinline)) double all(float f, struct big big, struct pair pair, const shape *shape, long double wide, int a, int b, int c, int d) {
  return f + big.words[1] + pair.first + pair.second + shape->y + wide + a + b + c + d;
}
__attribute__((noinline)) struct big filled(int from) {
  struct big big = { { from, from, from } };
  return big;
}
int main(int count, char **words) {
  struct big big = { { count } };
  shape shape = { .names = { words[0] } };
  return all(1, filled(count), (struct pair){ count, 2 }, &shape, 3, 1, 2, 3, 4) > big.words[0];
}
`;

const s32 = { name: 's32' };

for (const compiler of ['gcc', 'clang']) {
  for (const level of ['-O0', '-O2']) {
    test(`arguments are where the ABI passes them: ${compiler} ${level}`, { skip: without(compiler) }, (t) => {
      const program = compile(t, SOURCE, [level, '-g'], compiler);
      const fetched = debugOf(new ElfFile(readFileSync(program), program));
      const at = (path: string, name = 'all'): unknown => fetched(name, 0, path);
      assert.match(String(at('f')), /^f is .*register/);
      assert.deepEqual(at('big.words.1'), { fetch: memory(register('sp'), 16), type: { name: 's64' } });
      assert.deepEqual(at('pair.first'), { fetch: register('di'), type: s32 });
      assert.deepEqual(at('pair.second'), { fetch: register('di'), type: { name: 'u64', bits: { width: 32, offset: 32 } } });
      assert.deepEqual(at('shape.y'), { fetch: memory(register('si'), 2), type: { name: 's16' } });
      assert.deepEqual(at('shape.names'), { fetch: memory(register('si'), 8), type: { name: 'string', count: 2 } });
      assert.deepEqual(at('shape.names.1'), { fetch: memory(memory(register('si'), 16), 0), type: { name: 'string' } });
      assert.deepEqual(
        ['a', 'b', 'c', 'd'].map((name) => at(name)),
        ['dx', 'cx', 'r8', 'r9'].map((name) => ({ fetch: register(name), type: s32 })),
      );
      assert.match(String(at('wide')), /^wide is a whole long double$/);
      // Its result is put where the first register says.
      assert.deepEqual(at('from', 'filled'), { fetch: register('si'), type: s32 });
    });
  }
}

const ARM64_GCC = process.arch === 'arm64' ? 'gcc' : 'aarch64-linux-gnu-gcc';

for (const options of [['-O0', '-mbranch-protection=standard'], ['-O2'], ['-O2', '-fpatchable-function-entry=2']]) {
  test(`the same on arm64: ${options.join(' ')}`, { skip: without(ARM64_GCC) }, (t) => {
    const program = compile(t, ARM64_SOURCE, [...options, '-g'], ARM64_GCC);
    const fetched = debugOf(new ElfFile(readFileSync(program), program));
    const at = (path: string, name = 'all'): unknown => fetched(name, 0, path);
    for (const path of ['f', 'point.x', 'three.z']) assert.match(String(at(path)), /^.* is .*register/, path);
    assert.match(String(at('wide')), /^wide is a whole long double$/);
    // A copy of a large structure is passed by its address.
    assert.deepEqual(at('big.words.1'), { fetch: memory(register('x0'), 8), type: { name: 's64' } });
    assert.deepEqual(at('pair.second'), { fetch: register('x1'), type: { name: 'u64', bits: { width: 32, offset: 32 } } });
    assert.deepEqual(at('mixed.number'), { fetch: register('x2'), type: s32 });
    assert.deepEqual(at('shape.names.1'), { fetch: memory(memory(register('x3'), 16), 0), type: { name: 'string' } });
    // 16 bytes of one number begin in an even register.
    assert.deepEqual(at('a'), { fetch: register('x6'), type: s32 });
    assert.deepEqual(at('b'), { fetch: register('x7'), type: s32 });
    assert.deepEqual(at('c'), { fetch: memory(register('sp'), 0), type: s32 });
    assert.deepEqual(at('d.words.2'), { fetch: memory(memory(register('sp'), 8), 16), type: { name: 's64' } });
    // The address of its result has a register of its own.
    assert.deepEqual(at('from', 'filled'), { fetch: register('x0'), type: s32 });
  });
}

const ARM64_SOURCE = `
struct big { long words[3]; };
struct pair { int first; unsigned second; };
struct mixed { int number; float f; };
struct point { double x, y; };
struct three { float x, y, z; };
typedef struct { struct { short x, y; }; const char *names[2]; } shape;
__attribute__((noinline)) double all(float f, struct big big, struct pair pair, struct mixed mixed, const shape *shape, long double wide,
  struct point point, struct three three, __int128 huge, int a, int b, int c, struct big d) {
  return f + big.words[1] + pair.first + pair.second + mixed.number + mixed.f + shape->y + wide + point.x + three.z + huge + a + b + c + d.words[2];
}
__attribute__((noinline)) struct big filled(int from) {
  struct big big = { { from, from, from } };
  return big;
}
int main(int count, char **words) {
  struct big big = { { count } };
  shape shape = { .names = { words[0] } };
  return all(1, filled(count), (struct pair){ count, 2 }, (struct mixed){ count }, &shape, 3, (struct point){ 1 }, (struct three){ 1 }, 2, 1, 2, 3, big) > big.words[0];
}
`;

test('damaged debug information is refused, and nothing hangs', { skip: without('gcc') }, (t) => {
  const program = compile(t, SOURCE, ['-O2', '-g']);
  const bytes = readFileSync(program);
  const elf = new ElfFile(bytes, program);
  let refused = 0;
  for (const name of ['.debug_info', '.debug_abbrev', '.debug_loclists', '.debug_line', '.eh_frame']) {
    const { offset, size } = elf.section(name)!;
    for (let at = 0; at < size; at += Math.ceil(size / 25)) {
      const damaged = Buffer.from(bytes);
      for (const value of [0, 0xff]) {
        damaged[offset + at] = value;
        const answer = debugOf(new ElfFile(damaged, program))('all', 20, 'shape.names.1');
        if (typeof answer === 'string') refused++;
      }
    }
  }
  assert.ok(refused > 20, `${refused} are refused`);
});

const COMPRESSIONS = [
  ['zlib', false],
  ['zlib-gnu', false],
  ['zstd', !('zstdDecompressSync' in zlib) && 'this Node does not know zstd'],
] as const;

for (const [how, lack] of COMPRESSIONS) {
  const skip = without('gcc', 'objcopy') || lacksCompression(how) || lack;
  test(`debug information that is compressed by ${how}, in a file that the object names`, { skip }, (t) => {
    const program = compile(t, SOURCE, ['-g']);
    const linked = `${program}.debug`;
    execFileSync('objcopy', ['--only-keep-debug', `--compress-debug-sections=${how}`, program, linked]);
    execFileSync('objcopy', ['--strip-debug', `--add-gnu-debuglink=${linked}`, program]);
    const fetched = debugOf(new ElfFile(readFileSync(program), program));
    assert.deepEqual(fetched('filled', 0, 'from'), { fetch: register('si'), type: s32 });
    assert.deepEqual(fetched('all', 0, 'shape.y'), { fetch: memory(register('si'), 2), type: { name: 's16' } });
  });
}

/** Why objcopy cannot compress like that; false if it can. */
function lacksCompression(how: string): string | false {
  const help = attempt(() => execFileSync('objcopy', ['--help'], { encoding: 'utf8' }));
  return !help?.includes(how) && `objcopy knows no ${how}`;
}

test('an algorithm that is not known is refused with its section', { skip: without('gcc', 'objcopy') }, (t) => {
  const program = compile(t, SOURCE, ['-g', '-gz=zlib']);
  const bytes = readFileSync(program);
  bytes.writeUInt32LE(99, new ElfFile(bytes, program).section('.debug_info')!.offset);
  const answer = debugOf(new ElfFile(bytes, 'program'))('all', 0, 'a');
  assert.equal(answer, 'program: .debug_info is compressed by an algorithm that is not known');
});

for (const [version, link, ...options] of [
  ['-gdwarf-4', '.gnu_debugaltlink'],
  ['-gdwarf-5', '.gnu_debugaltlink'],
  ['-gdwarf-5', '.debug_sup', '--dwarf-5'],
] as const) {
  test(`what objects share is found in its file, as dwz leaves it: ${version} ${link}`, { skip: without('gcc', 'dwz') }, (t) => {
    const folder = testFolder(t);
    // Of two objects that are alike the types and the names of parameters go to the shared file.
    const programs = ['one', 'two'].map((name) => {
      const program = join(folder, name);
      copyFileSync(compile(t, SOURCE, ['-O2', version]), program);
      return program;
    });
    const shared = join(folder, 'shared.debug');
    execFileSync('dwz', [...options, '-m', shared, ...programs]);
    const [program = ''] = programs;
    const elf = new ElfFile(readFileSync(program), program);
    assert.ok(elf.section(link) !== undefined);
    const fetched = debugOf(elf);
    assert.deepEqual(fetched('all', 0, 'shape.y'), { fetch: memory(register('si'), 2), type: { name: 's16' } });
    assert.deepEqual(fetched('all', 0, 'big.words.1'), { fetch: memory(register('sp'), 16), type: { name: 's64' } });
    assert.deepEqual(fetched('all', 0, 'shape.names.1'), {
      fetch: memory(memory(register('si'), 16), 0),
      type: { name: 'string' },
    });
    rmSync(shared);
    assert.equal(
      debugOf(new ElfFile(readFileSync(program), 'one'))('all', 0, 'a'),
      `one has a part of its debug information in ${shared}, which is not there`,
    );
  });
}
