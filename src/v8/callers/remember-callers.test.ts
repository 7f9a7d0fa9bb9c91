import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type AnyFunction, BLOCK, BLOCK_BYTES, CHAIN_CODES, ENTRY_WORDS, type ReadChain } from './chain-code.js';
import type { PlacedChain } from './place-chain.js';
import { type CapturedCallers, rememberCallers } from './remember-callers.js';

const PROGRAM = fileURLToPath(new URL('./testing/compare-callers.js', import.meta.url));
const isCovered = process.platform === 'linux' && CHAIN_CODES[process.arch] !== undefined;
const skip = isCovered ? false : 'there is no code for this machine';

interface Compared {
  readonly calls: number;
  readonly captures: number;
  readonly wrong: readonly string[];
}

function compared(options: readonly string[], words: readonly string[]): Compared {
  const { stdout, stderr } = spawnSync(process.execPath, [...options, PROGRAM, ...words], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return JSON.parse(stdout) as Compared;
}

test('the remembered caller is the captured one, while code is compiled, moves and dies', { skip }, () => {
  // Without its first compiler V8 must make code in time for what is learned of it, however busy the machine is.
  for (const options of [['--gc-interval=4000'], ['--no-sparkplug', '--no-concurrent-recompilation']]) {
    for (const kind of ['site', 'printer']) {
      const { calls, captures, wrong } = compared(options, ['4', '7', kind]);
      assert.deepEqual(wrong, [], `${kind} ${options}`);
      assert.ok(captures < calls / 4, `${kind} ${options}: ${captures} of ${calls} were captured`);
    }
  }
});

test('once a debugger has replaced the code, callers are captured', { skip }, () => {
  const { calls, captures, wrong } = compared([], ['4', '8', 'debugger']);
  assert.deepEqual(wrong, []);
  assert.ok(captures > calls / 4, `${captures} of ${calls}`);
});

/** Who finds callers, the function of fentry that is called, the program's function with what is inlined in it, its module. */
const STACK = ['find', 'tracePrintk', 'loop', 'module'].map(
  (name): AnyFunction => Object.defineProperty(() => name, 'name', { value: name }),
);
const PLACE = 3;
const LENGTH = 4 * (2 * BLOCK.CHAIN + 8);

/** Reads a stack as the machine code does: its frames are those of STACK, of which at most WANTED are looked at. */
function readStack(words: Uint32Array): ReadChain {
  return () => {
    const count = Math.min(words[2 * BLOCK.WANTED]!, STACK.length);
    words[2 * BLOCK.FOUND] = count;
    words[2 * BLOCK.PLACE] = PLACE;
    words[2 * BLOCK.LENGTH] = LENGTH - STACK.length + count;
    const isKnown = words[2 * (BLOCK.TABLE + PLACE * ENTRY_WORDS)] === words[2 * BLOCK.LENGTH];
    return isKnown ? PLACE : STACK[count - 1]!;
  };
}

test('a caller below which there is only the outermost function of the stack is remembered', () => {
  const words = new Uint32Array(BLOCK_BYTES / 4);
  const CALLER = 0x81000000;
  /** A capture shows functions that V8 has inlined. */
  const SHOWN = ['find', 'tracePrintk', 'other', 'inlined', 'loop', 'module'];
  const below = ({ name }: AnyFunction): number => SHOWN.length - 1 - SHOWN.indexOf(name);
  let captures = 0;
  const captured: CapturedCallers = {
    find: () => {
      captures++;
      return CALLER;
    },
    // `find` of rememberCallers is that of the stack.
    framesBelow: (callee) => below(STACK.includes(callee) ? callee : STACK[0]!),
    framesBefore: () => SHOWN.indexOf('inlined') - 1,
  };
  const chain = { read: readStack(words) } as PlacedChain;
  const { find } = rememberCallers(captured, chain, { words, address: 4096 }, () => new WeakMap());
  for (let i = 0; i < 10; i++) assert.equal(find(STACK[1]!), CALLER);
  assert.equal(captures, 2);
});
