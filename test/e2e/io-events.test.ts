import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

/** A server that answers with a file, and asks itself every 20 ms, on a connection of its own each time. */
const PROGRAM = `
const http = require('node:http');
const fs = require('node:fs');
const server = http.createServer((request, response) => {
  fs.readFile('/etc/hostname', () => require('node:dns').lookup('localhost', () => response.end('hello')));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  let count = 0;
  setInterval(() => http.get({ host: '127.0.0.1', port, path: '/p' + count++, agent: false }, (answer) => answer.resume()), 20);
});
`;

/** Lines that each system's events print for the server above. */
const SHOWN: Readonly<Record<string, readonly RegExp[]>> = {
  fs: [
    /op_start: id=\d+ op=\w+ path="\/etc\/hostname"/,
    /op_end: id=\d+ op=\w+ path="\/etc\/hostname" fd=-?\d+ ret=\d+ error= duration=\d+$/m,
  ],
  net: [/net_dev_queue: dev=lo skbaddr=\w{16} len=\d+ skaddr=\w{16}/, /netif_receive_skb: dev=lo skbaddr=\w{16} len=\d+/],
  sock: [
    /inet_sock_set_state: family=AF_INET protocol=IPPROTO_TCP sport=\d+ dport=\d+ saddr=127.0.0.1 daddr=127.0.0.1 saddrv6=::ffff:127.0.0.1 daddrv6=::ffff:127.0.0.1 oldstate=TCP_SYN_RECV newstate=TCP_ESTABLISHED/,
    /sock_recv_length: sk address = \w{16}, family = AF_INET, protocol = IPPROTO_TCP, length = \d+, error = 0/,
  ],
  dns: [
    /lookup_start: id=\d+ hostname=localhost family=0/,
    /lookup_end: id=\d+ hostname=localhost result=\S+ error= duration=\d+/,
  ],
  http: [
    /server_request_start: id=\d+ skaddr=\w{16} method=GET url=\/p\d+/,
    /client_request_end: id=\d+ skaddr=\w{16} method=GET host=127.0.0.1 url=\/p\d+ status=200 bytes=\d+ duration=\d+ error=$/m,
  ],
  syscalls: [/ sys_accept4\(fd: \w+, upeer_sockaddr: "127.0.0.1:\d+"\)/, / sys_write -> 0x\w+/],
  raw_syscalls: [/sys_enter: NR \d+ \(/, /sys_exit: NR \d+ = \d+/],
};

test('files, sockets, DNS and HTTP of a server under load, system by system', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(PROGRAM);
  const cat = (path: string): Promise<string> => sandbox.read(path);
  for (const [system, patterns] of Object.entries(SHOWN)) {
    assert.equal((await sandbox.fentry('append', `events/${system}/enable`, '1')).stderr, '');
    await until(async () => {
      const trace = await cat('trace');
      return patterns.every((pattern) => pattern.test(trace));
    }, `the events of ${system} are shown`);
    assert.equal(await cat(`events/${system}/enable`), '1\n');
    await sandbox.fentry('append', `events/${system}/enable`, '0');
    const trace = await cat('trace');
    assert.doesNotMatch(trace, /fentry|\.sock"/, 'fentry’s own files are not shown');
    await sandbox.fentry('write', 'trace', '');
  }
});

test('a histogram names the system calls that are its keys', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(PROGRAM);
  assert.equal((await sandbox.fentry('append', 'events/raw_syscalls/sys_enter/trigger', 'hist:keys=id.syscall')).stderr, '');
  await until(
    async () =>
      /^\{ id: sys_accept4 {19}\[288\] \} hitcount: +\d+$/m.test(await sandbox.read('events/raw_syscalls/sys_enter/hist')),
    'accept4 is counted',
  );
});

/** Loads a text that only acorn reads, because of its octal number, when it is told to, and then writes a file. */
const LATE = `
const fs = require('node:fs');
const waiting = setInterval(() => {
  if (!fs.existsSync(__dirname + '/go')) return;
  clearInterval(waiting);
  require('./octal.cjs');
  fs.writeFileSync(__dirname + '/loaded', '');
  setInterval(() => {}, 1000);
}, 20);
`;

test('a parser that is loaded while files are shown is not among them', async (t) => {
  const sandbox = new Sandbox(t, { hasOwnCache: true });
  sandbox.file('octal.cjs', 'exports.mode = () => 0755;');
  await sandbox.start(LATE);
  assert.equal((await sandbox.fentry('append', 'events/fs/enable', '1')).stderr, '');
  sandbox.file('go', '');
  await until(async () => (await sandbox.read('trace')).includes('/loaded"'), 'the text has been loaded');
  const trace = await sandbox.read('trace');
  assert.match(trace, /octal\.cjs"/);
  assert.doesNotMatch(trace, /acorn\.cjs/);
});
