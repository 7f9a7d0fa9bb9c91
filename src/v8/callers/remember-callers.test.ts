import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CHAIN_CODES } from './chain-code.js';

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
