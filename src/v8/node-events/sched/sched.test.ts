import assert from 'node:assert/strict';
import { executionAsyncId } from 'node:async_hooks';
import { ChildProcess, exec, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { type HeardEvent, hear } from '../testing/heard-events.js';
import { sched } from './sched.js';

const busy = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
};

/** What was heard of a task, each as `event: text`, its number as N. */
const of = (heard: readonly HeardEvent[], pid: number): string[] =>
  heard
    .filter(({ text }) => new RegExp(`pid=${pid}\\b`).test(text))
    .map(({ name, text }) => `${name}: ${text.replaceAll(`pid=${pid} `, 'pid=N ')}`);

test('an immediate is created, ready, switched to, over, and left', async () => {
  const { heard, stop } = hear(sched, [
    'sched_process_fork',
    'sched_waking',
    'sched_wakeup',
    'sched_wakeup_new',
    'sched_switch',
    'sched_process_exit',
  ]);
  const [parent, id] = await Promise.resolve().then(async (): Promise<[number, number]> => {
    const own = executionAsyncId();
    return [own, await new Promise<number>((resolve) => setImmediate(() => resolve(executionAsyncId())))];
  });
  await new Promise(setImmediate);
  stop();
  const lines = of(heard, id);
  assert.deepEqual(lines, [
    `sched_process_fork: comm=PROMISE pid=${parent} child_comm=Immediate child_pid=${id}`,
    'sched_waking: comm=Immediate pid=N prio=120 target_cpu=000',
    'sched_wakeup_new: comm=Immediate pid=N prio=120 target_cpu=000',
    'sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=Immediate next_pid=N next_prio=120',
    'sched_process_exit: comm=Immediate pid=N prio=120',
    'sched_switch: prev_comm=Immediate prev_pid=N prev_prio=120 prev_state=Z ==> next_comm=swapper/0 next_pid=0 next_prio=120',
  ]);
});

test('a reaction wakes when its promise is settled, be it rejected, and one of a settled promise at once', async () => {
  const { heard, stop } = hear(sched, ['sched_waking', 'sched_wakeup', 'sched_wakeup_new', 'sched_switch']);
  let reject = (): void => {};
  const promise = new Promise<void>((_resolve, refuse) => (reject = () => refuse(new Error('no'))));
  let waited = 0;
  const caught = promise.catch(() => (waited = executionAsyncId()));
  busy(2);
  const before = heard.length;
  reject();
  await caught;
  const at = await caught.then(() => executionAsyncId());
  stop();
  assert.deepEqual(
    of(heard.slice(before), waited).map((line) => line.replace(/: .*/, '')),
    ['sched_waking', 'sched_wakeup', 'sched_switch', 'sched_switch'],
  );
  assert.equal(of(heard.slice(0, before), waited).length, 0);
  assert.deepEqual(
    of(heard, at).map((line) => line.replace(/: .*/, '')),
    ['sched_waking', 'sched_wakeup_new', 'sched_switch', 'sched_switch'],
  );
});

test('a promise that was only created in a reaction does not wake with it', async () => {
  const { heard, stop } = hear(sched, ['sched_waking', 'sched_process_fork']);
  let created: HeardEvent | undefined;
  await Promise.resolve().then(() => {
    void new Promise(() => {});
    created = heard.at(-1);
  });
  stop();
  const { child_pid: pid } = created!.values;
  assert.equal(created!.name, 'sched_process_fork');
  assert.ok(heard.every(({ name, values }) => name !== 'sched_waking' || values.pid !== pid));
});

test('a timer was woken when it was due, however late it runs', async () => {
  const { heard, stop } = hear(sched, ['sched_waking', 'sched_switch']);
  const id = await new Promise<number>((resolve) => {
    setTimeout(() => resolve(executionAsyncId()), 5);
    busy(40);
  });
  stop();
  const waking = heard.find(({ name, values }) => name === 'sched_waking' && values.pid === id)!;
  const run = heard.find(({ name, values }) => name === 'sched_switch' && values.next_pid === id)!;
  assert.match(waking.text, /^comm=Timeout pid=\d+ prio=-1 target_cpu=000$/);
  assert.ok(run.at - waking.at >= 30e6, `${run.at - waking.at}`);
});

test('a context inside of another one preempts it', async () => {
  const { AsyncResource } = await import('node:async_hooks');
  const { heard, stop } = hear(sched, ['sched_switch']);
  const inner = new AsyncResource('INNER');
  await new Promise<void>((resolve) => setImmediate(() => inner.runInAsyncScope(resolve)));
  stop();
  const lines = of(heard, inner.asyncId());
  assert.match(lines[0]!, /prev_comm=Immediate .* prev_state=R\+ ==> next_comm=INNER next_pid=N next_prio=120/);
  assert.match(lines[1]!, /prev_comm=INNER .* prev_state=S ==> next_comm=Immediate/);
});

test('a context is woken by the one that runs it inside of itself, each time', async () => {
  const { AsyncResource } = await import('node:async_hooks');
  const { heard, stop } = hear(sched, ['sched_waking', 'sched_wakeup', 'sched_switch']);
  const inner = new AsyncResource('INNER');
  const twice = (): void => {
    inner.runInAsyncScope(() => {});
    inner.runInAsyncScope(() => {});
  };
  await new Promise<void>((resolve) => setImmediate(() => resolve(twice())));
  stop();
  const once = ['sched_waking', 'sched_wakeup', 'sched_switch', 'sched_switch'];
  const lines = of(heard, inner.asyncId());
  assert.equal(lines[0], 'sched_waking: comm=INNER pid=N prio=120 target_cpu=000');
  assert.deepEqual(
    lines.map((line) => line.replace(/: .*/, '')),
    [...once, ...once],
  );
});

test('a child process is forked, executes its file, ends and is waited for', async () => {
  const { spawn } = ChildProcess.prototype as unknown as { spawn: unknown };
  const names = ['sched_process_fork', 'sched_process_exec', 'sched_process_exit', 'sched_process_wait'];
  const { heard, stop } = hear(sched, names);
  const child = exec('exit 3');
  await once(child, 'close');
  stop();
  const lines = heard
    .filter(({ values }) => [values.pid, values.child_pid].includes(child.pid))
    .map(({ name, text }) => `${name}: ${text}`);
  const pid = `pid=${child.pid}`;
  assert.match(lines[0]!, new RegExp(`^sched_process_fork: comm=\\S+ pid=\\d+ child_comm=\\S+ child_${pid}$`));
  assert.deepEqual(lines.slice(1, 3), [
    `sched_process_exec: filename=/bin/sh ${pid} old_${pid}`,
    `sched_process_exit: comm=sh ${pid} prio=120`,
  ]);
  assert.match(lines[3]!, new RegExp(`^sched_process_wait: comm=PROCESSWRAP ${pid} prio=120$`));
  assert.equal((ChildProcess.prototype as unknown as { spawn: unknown }).spawn, spawn);
});

test('a child that the thread waits for has the times at which it began and ended', () => {
  const { heard, stop } = hear(sched, ['sched_process_fork', 'sched_process_exec', 'sched_process_wait', 'sched_process_exit']);
  const { pid } = spawnSync('/bin/sleep', ['0.05']);
  stop();
  const child = heard.filter(({ values }) => [values.pid, values.child_pid].includes(pid));
  assert.deepEqual(
    child.map(({ name }) => name),
    ['sched_process_fork', 'sched_process_exec', 'sched_process_wait', 'sched_process_exit'],
  );
  assert.ok(child[3]!.at - child[0]!.at >= 50e6);
});

test('what is gone is freed', async () => {
  const { heard, stop } = hear(sched, ['sched_process_free']);
  const id = await new Promise<number>((resolve) => setTimeout(() => resolve(executionAsyncId()), 1));
  while (!heard.some(({ values }) => values.pid === id)) await new Promise(setImmediate);
  stop();
  assert.equal(heard.find(({ values }) => values.pid === id)!.text, `comm=Timeout pid=${id} prio=-1`);
});
