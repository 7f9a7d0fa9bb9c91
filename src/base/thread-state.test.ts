import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeWait, type ThreadState, threadState } from './thread-state.js';

const asleep: ThreadState = { state: 'S', syscall: undefined, wchan: '', children: [] };
const nameOf = (pid: number): string => `sleep ${pid}`;

const CASES: readonly (readonly [Partial<ThreadState>, string])[] = [
  [{ syscall: 202 }, 'waits for Atomics.wait, or a lock in native code (futex)'],
  [{ syscall: 281, children: [7, 8] }, 'waits for its child process 8 (sleep 8)'],
  [{ syscall: 281 }, 'waits for an event loop inside a synchronous call (epoll_wait)'],
  [{ wchan: 'futex_wait_queue' }, 'waits for Atomics.wait, or a lock in native code (futex)'],
  [{ wchan: 'pipe_read' }, 'waits for a synchronous read'],
  [{ wchan: 'new_function' }, 'sleeps in native code (new_function)'],
  [{ state: 'T' }, 'is stopped (SIGSTOP); kill -CONT resumes it'],
  [{ state: 't' }, 'is held by a debugger (ptrace)'],
  [{ state: 'D', wchan: 'nfs_wait' }, 'is in the kernel and cannot be interrupted (nfs_wait)'],
  [{ state: 'R' }, 'runs native code that does not return to JavaScript'],
  [{ state: 'Z' }, 'has ended'],
];

for (const [thread, words] of CASES) {
  test(`a thread that does not answer ${words}`, () => {
    assert.equal(describeWait({ ...asleep, ...thread }, nameOf, 'x64'), words);
  });
}

test('a thread that is gone has ended', () => {
  assert.equal(describeWait(threadState('self', 2 ** 22 + 1)), 'has ended');
});

test('the state of a thread that runs is read from /proc', () => {
  assert.equal(threadState('self', process.pid)?.state, 'R');
});
