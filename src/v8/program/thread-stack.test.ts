import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { DebuggerSession } from '../breakpoints/debugger-session.js';
import { captureRealm } from '../realm/capture-stack.js';
import { Texts } from '../realm/texts.js';
import { interruptedOwnCode } from './thread-stack.js';

/**
 * Whether what is interrupted counts as fentry's own. A breakpoint's condition has the frames of an interrupt: its own, and one
 * without a file.
 */
function isOwn(functionSource: string, call: () => void): boolean | undefined {
  const texts = new Texts(new URL('..', import.meta.url).href);
  const session = new DebuggerSession();
  let answer: boolean | undefined;
  const global = globalThis as { interrupted?: () => void };
  global.interrupted = () => {
    answer = interruptedOwnCode(texts);
  };
  try {
    for (const { scriptId } of session.announced) {
      const [before = '', ...rest] = session.source(scriptId).split(functionSource);
      if (rest.length === 0) continue;
      const lines = before.split('\n');
      const [lineNumber, column] = [lines.length - 1, lines.at(-1)!.length];
      const start = { scriptId, lineNumber, columnNumber: column + functionSource.indexOf('=>') };
      const [place] = session.locations(start, { ...start, columnNumber: column + functionSource.length + 1 }, false);
      if (place !== undefined) session.setBreakpoint(place, 'globalThis.interrupted?.();throw 0');
    }
    call();
  } finally {
    session.end();
    delete global.interrupted;
  }
  return answer;
}

test('code of the program is not fentry’s own, and the realm in which fentry captures stacks is', () => {
  const program = runInThisContext('(twice => twice + twice)', { filename: '/app/program.js' }) as (n: number) => number;
  const { newHolder, error } = captureRealm();
  const realmGlobal = error.constructor('return globalThis')() as { interrupted?: () => void };
  assert.equal(
    isOwn('twice => twice + twice', () => program(1)),
    false,
  );
  realmGlobal.interrupted = () => (globalThis as { interrupted?: () => void }).interrupted?.();
  assert.equal(
    isOwn('newHolder: () => ({})', () => newHolder()),
    true,
  );
});
