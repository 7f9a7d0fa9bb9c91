import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { Sandbox, until } from './support/program.js';

/** A program of which each scheduler's event has something to tell, and that ends if a built-in looks other than at its start. */
const PROGRAM = `
const assert = require('node:assert');
const { execFile, ChildProcess } = require('node:child_process');
const { readFile } = require('node:fs');
const shown = () => [process.emit, process.kill, clearTimeout, ChildProcess.prototype.spawn].map((f) => [f.name, f.length, String(f)]);
const before = shown();
function busy(ms) { for (const end = performance.now() + ms; performance.now() < end; ); }
setInterval(function tick() {
  readFile(__filename, () => setImmediate(() => {}));
  clearTimeout(setTimeout(() => {}, 1e6));
  Promise.resolve().then(() => {});
  setTimeout(function late() {}, 1);
  busy(10);
  assert.deepEqual(shown(), before);
}, 40);
setInterval(() => execFile('/bin/true'), 200);
process.on('SIGHUP', function onHup() {});
setInterval(() => process.kill(process.pid, 'SIGHUP'), 100);
`;

const SYSTEMS = ['sched', 'task', 'irq', 'timer', 'workqueue', 'signal', 'power'];

const start = async (t: TestContext) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(PROGRAM, {});
  const cat = (path: string): Promise<string> => sandbox.read(path);
  const write = async (path: string, text: string): Promise<void> => {
    const { code, stderr } = await sandbox.fentry('append', path, text);
    assert.equal(code, 0, stderr);
  };
  const shows = (line: RegExp): Promise<void> => until(async () => line.test(await cat('trace')), String(line));
  return { sandbox, cat, write, shows };
};

test('the scheduler’s events show the event loop at work, until they are disabled', async (t) => {
  const { sandbox, cat, write, shows } = await start(t);
  for (const system of SYSTEMS) await write(`events/${system}/enable`, '1');
  const lines = [
    /sched_process_fork: comm=FSREQCALLBACK pid=\d+ child_comm=Immediate child_pid=\d+$/m,
    /sched_wakeup_new: comm=Immediate pid=\d+ prio=120 target_cpu=000$/m,
    /sched_switch: prev_comm=swapper\/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=Timeout next_pid=\d+ next_prio=-1$/m,
    /sched_process_exec: filename=\/bin\/true pid=\d+ old_pid=\d+$/m,
    /task_rename: pid=\d+ oldcomm=node newcomm=true$/m,
    /sched_process_wait: comm=PROCESSWRAP pid=\d+ prio=120$/m,
    /softirq_entry: vec=1 \[action=TIMER\]$/m,
    /irq_handler_entry: irq=\d+ name=FSREQCALLBACK$/m,
    /timer_start: timer=\w{16} function=late expires=\d+ \[timeout=1\] cpu=0 flags=$/m,
    /timer_expire_entry: timer=\w{16} function=late now=\d+ baseclk=\d+$/m,
    /timer_cancel: timer=\w{16}$/m,
    /workqueue_queue_work: work struct=\w{16} function=\S+ workqueue=fs cpu=0 pending=\d+$/m,
    /workqueue_execute_start: work struct \w{16}: function \S+ workqueue fs$/m,
    /workqueue_execute_end: work struct \w{16}: function \S+ workqueue fs waited=\d+ns ran=\d+ns$/m,
    /signal_generate: sig=1 comm=node pid=\d+$/m,
    /signal_deliver: sig=1 sa_handler=onHup$/m,
    /cpu_idle: state=1 cpu_id=0$/m,
  ];
  for (const line of lines) await shows(line);
  // What fentry's own messages begin is not the program's.
  assert.doesNotMatch(await cat('trace'), /MESSAGEPORT|WORKER/);
  for (const system of SYSTEMS) await write(`events/${system}/enable`, '0');
  await until(async () => {
    await sandbox.fentry('clear');
    await later(100);
    return !/^[^#]/m.test(await cat('trace'));
  }, 'nothing is recorded any more');
});

test('the kernel’s histogram of wakeup latencies shows how late timers are', async (t) => {
  const { write, cat } = await start(t);
  await write('synthetic_events', 'wakeup_latency u64 lat; pid_t pid; int prio');
  await write('events/sched/sched_waking/trigger', 'hist:keys=pid:ts0=common_timestamp.usecs if comm=="Timeout"');
  await write(
    'events/sched/sched_switch/trigger',
    'hist:keys=next_pid:wakeup_lat=common_timestamp.usecs-$ts0:onmatch(sched.sched_waking).wakeup_latency($wakeup_lat,next_pid,next_prio) if next_comm=="Timeout"',
  );
  await write('events/synthetic/wakeup_latency/trigger', 'hist:keys=lat.buckets=4000:sort=lat');
  // `late` is due after 1 ms, and waits until `tick` has been busy for 10.
  await until(
    async () => /lat: ~ (8000-11999|12000-15999) \}/.test(await cat('events/synthetic/wakeup_latency/hist')),
    'waits of 8 ms and more',
  );
});
