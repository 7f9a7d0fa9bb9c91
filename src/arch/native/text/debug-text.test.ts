import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Fetch } from '../../../probes/probe-definition.js';
import { ElfFile } from '../elf/elf-file.js';
import { compile } from '../testing/programs.js';
import { without } from '../testing/toolchain.js';
import { DebugText } from './debug-text.js';
import { linkObject } from './link-object.js';

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

/** What the debug information of a program says of its functions. */
function debugOf(elf: ElfFile): (name: string, offset: number, path: string) => unknown {
  const text = linkObject(elf, { module: '', firstFunction: 0, jumps: true });
  const debug = new DebugText({ file: 'program', from: elf.span[0], bias: 0, open: () => elf });
  return (name, offset, path) => {
    const [root = '', ...members] = path.split('.');
    const variable: Fetch = { kind: 'variable', name: root };
    const fetch = members.reduce<Fetch>((of, member) => ({ kind: 'member', of, name: member }), variable);
    const one = text.functions.find((other) => other.name === name)!;
    debug.linesOf(one);
    debug.onLine('program.c', 6);
    debug.variables(one, { offset });
    return debug.fetch(one, { offset }, fetch, undefined);
  };
}

const register = (name: string): Fetch => ({ kind: 'register', name });
const memory = (of: Fetch, offset: number): Fetch => ({ kind: 'dereference', of, offset });
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

test('debug information in a file of its own is found by its link', { skip: without('gcc', 'objcopy') }, (t) => {
  const program = compile(t, SOURCE, ['-g', '-gz']);
  const linked = `${program}.debug`;
  execFileSync('objcopy', ['--only-keep-debug', '--compress-debug-sections', program, linked]);
  execFileSync('objcopy', ['--strip-debug', `--add-gnu-debuglink=${linked}`, program]);
  const fetched = debugOf(new ElfFile(readFileSync(program), program));
  assert.deepEqual(fetched('filled', 0, 'from'), { fetch: register('si'), type: s32 });
});
