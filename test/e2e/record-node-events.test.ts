import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { noTraceCmd, traceCmd } from '../trace-dat/trace-cmd.js';
import { Sandbox } from './support/program.js';

/** A server with requests of its own, in which every system of Node's events has something to tell. */
const PROGRAM = `
const http = require('node:http');
const fs = require('node:fs');
const dns = require('node:dns');
const zlib = require('node:zlib');
const { channel } = require('node:diagnostics_channel');
const { execFile, spawnSync } = require('node:child_process');
const { Worker } = require('node:worker_threads');
process.on('unhandledRejection', () => {}).on('SIGUSR2', () => {});
const ticks = channel('app.ticks');
function answer(request, response) {
  const n = Number(request.url.slice(1));
  console.log('request %d über %s', n, request.url);
  ticks.publish({ n, text: 'tück "%d" \\\\ \\n', nested: { list: [1, 2n, null] }, symbol: Symbol('s'), answer, error: new Error('no') });
  if (n % 3 === 2) ticks.publish({ n: 'none, 100 %', 'more "of it"': 1n });
  fs.readFile(__filename, () => zlib.gzip(Buffer.alloc(3000 + n), (error, data) => response.end(String(data.length))));
}
const server = http.createServer(answer).listen(0, async () => {
  const { port } = server.address();
  for (let n = 0; n < 10; n++) {
    await (await fetch('http://127.0.0.1:' + port + '/' + n)).text();
    await new Promise((done) => http.get({ port, path: '/' + n }, (response) => response.resume().on('end', done)));
  }
  await new Promise((done) => http.get({ port: 1 }).on('error', done));
  fs.writeFileSync('x.txt', 'x');
  fs.unlinkSync('x.txt');
  try { fs.readFileSync('/nonsense/ö'); } catch {}
  await fs.promises.stat('/nonsense').catch(() => {});
  dns.lookup('localhost', () => {});
  dns.resolve4('nonsense.invalid', () => {});
  Promise.reject(new RangeError('far %d "quoted"'));
  process.emitWarning('careful');
  process.kill(process.pid, 'SIGUSR2');
  spawnSync('true', ['a b', 'c']);
  execFile('sh', ['-c', 'exit 3'], () => {});
  new Worker('process.exitCode = 3; setTimeout(() => {}, 20)', { eval: true });
  Buffer.alloc(1 << 16);
  setTimeout(gc, 50);
  clearTimeout(setTimeout(() => {}, 1000));
  setTimeout(() => { server.close(); server.closeAllConnections(); }, 300);
});
`;

/** At least one event of every system that an end of a process leaves time for. */
const SEEN = [
  'app_ticks channel child_process client_request_end client_request_start console cpu_idle cpuhp_enter cpuhp_exit gc',
  'http_server_request_start inet_sk_error_report inet_sock_set_state irq_handler_entry irq_handler_exit kfree kmalloc lookup_start',
  'net_dev_queue netif_receive_skb op_end op_start sched_process_exec sched_process_exit sched_process_fork sched_process_free',
  'sched_process_wait sched_switch sched_wakeup sched_wakeup_new sched_waking server_request_end signal_deliver signal_generate',
  'sock_recv_length sock_send_length softirq_entry softirq_exit softirq_raise sys_enter sys_enter_connect sys_enter_execve',
  'sys_enter_read sys_enter_unlink sys_exit sys_exit_connect sys_exit_execve sys_exit_read sys_exit_write task_newtask timer_cancel',
  'timer_expire_entry timer_expire_exit timer_init timer_start undici_request_create unhandled_rejection warning',
  'workqueue_execute_end workqueue_execute_start workqueue_queue_work',
].flatMap((line) => line.split(' '));

const lines = (text: string): readonly string[] => text.split('\n').map((line) => line.trimEnd());

test('trace-cmd prints each of Node’s events as fentry report does', { skip: noTraceCmd }, async (t) => {
  const sandbox = new Sandbox(t);
  const file = join(sandbox.folder, 't.dat');
  const options = ['-b', '20000', '-e', 'all', '-o', file];
  const { code, stderr } = await sandbox.fentry(
    'record',
    ...options,
    '--',
    process.execPath,
    '--expose-gc',
    sandbox.file('all.cjs', PROGRAM),
  );
  assert.equal(code, 0, stderr);
  assert.match(stderr, / events, 0 lost/);
  const report = lines((await sandbox.fentry('report', '-i', file)).stdout);
  const printed = traceCmd('report', '-N', '-i', file);
  assert.deepEqual([printed.status, printed.stderr], [0, '']);
  assert.deepEqual(report, lines(printed.stdout));
  const seen = new Set(report.map((line) => /\d: (\w+):/.exec(line)?.[1]));
  assert.deepEqual(
    SEEN.filter((name) => !seen.has(name)),
    [],
  );
});
