import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as nodeFs from 'node:fs';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { listenToSyscalls } from './boundary/syscall-hook.js';
import { rawSyscalls, syscalls } from './syscalls.js';
import { echoOnce } from './testing/echo.js';
import { type Call, recordCalls } from './testing/record-calls.js';

let folder: string;
before(() => {
  folder = nodeFs.mkdtempSync(join(tmpdir(), 'fentry-syscalls-'));
  nodeFs.writeFileSync(join(folder, 'three'), 'abc');
});
after(() => nodeFs.rmSync(folder, { recursive: true }));

/** A call as strace would show it, without what the test runner writes to its pipe. */
function lines(calls: readonly Call[]): readonly string[] {
  const ends = new Map(calls.filter(({ event }) => event.startsWith('sys_exit')).map(({ req, ret }) => [req, ret]));
  return calls
    .filter(({ event, fd }) => event.startsWith('sys_enter_') && fd !== 1)
    .map(({ event, __syscall_nr: _nr, req, ...args }) => {
      const shown = Object.entries(args).map(([name, value]) => `${name}: ${String(value).replace(folder, '')}`);
      return `${event.slice('sys_enter_'.length)}(${shown.join(', ')}) = ${ends.get(req)}`;
    });
}

test('calls of files by name and by descriptor, with the kernel’s arguments', async () => {
  let fd = 0;
  const calls = await recordCalls(syscalls, () => {
    fd = nodeFs.openSync(join(folder, 'three'), 'r+');
    nodeFs.readSync(fd, Buffer.alloc(10));
    nodeFs.readSync(fd, Buffer.alloc(10), 0, 10, 1);
    nodeFs.writevSync(fd, [Buffer.from('d'), Buffer.from('e')]);
    nodeFs.fstatSync(fd);
    nodeFs.closeSync(fd);
    nodeFs.mkdirSync(join(folder, 'sub'));
    nodeFs.renameSync(join(folder, 'sub'), join(folder, 'bus'));
    assert.throws(() => nodeFs.lstatSync(join(folder, 'none')), { code: 'ENOENT' });
  });
  assert.deepEqual(lines(calls), [
    `openat(dfd: ${0xffffff9c}, filename: /three, flags: ${2 | nodeFs.constants.O_RDWR | 0o2000000}, mode: 438) = ${fd}`,
    `read(fd: ${fd}, count: 10) = 3`,
    `pread64(fd: ${fd}, count: 10, pos: 1) = 2`,
    `writev(fd: ${fd}, vlen: 2) = 2`,
    `statx(dfd: ${fd}, filename: , flags: 4096, mask: 4095) = 0`,
    `close(fd: ${fd}) = 0`,
    'mkdir(pathname: /sub, mode: 511) = 0',
    'rename(oldname: /sub, newname: /bus) = 0',
    `statx(dfd: ${0xffffff9c}, filename: /none, flags: 256, mask: 4095) = -2`,
  ]);
});

test('calls whose result comes later end then, and have the same req', async () => {
  const calls = await recordCalls(syscalls, async () => {
    await promisify(nodeFs.access)(folder);
    await nodeFs.promises.rmdir(join(folder, 'none')).catch(() => {});
  });
  assert.deepEqual(lines(calls), ['access(filename: , mode: 0) = 0', 'rmdir(pathname: /none) = -2']);
});

test('each call that the thread does not wait for has a place of its own while it is in flight', async () => {
  const places: string[] = [];
  // Not what the test's runner writes meanwhile.
  const note = (line: string): void => void (/^(?:access|statx)/.test(line) && places.push(line));
  const stop = listenToSyscalls({
    enter: (name, _nr, _req, _values, place) => note(`${name} ${place}`),
    exit: (name, _nr, _req, _ret, place) => note(`${name} ${place} ends`),
  });
  const access = promisify(nodeFs.access);
  const two = [access(folder), access(folder)];
  nodeFs.statSync(folder);
  await Promise.all(two);
  await access(folder);
  stop();
  assert.deepEqual(places.slice(0, 4), ['access 1', 'access 2', 'statx 0', 'statx 0 ends']);
  assert.deepEqual(places.slice(4, 6).toSorted(), ['access 1 ends', 'access 2 ends']);
  const [begin, end] = places.slice(6);
  assert.match(begin!, /^access [12]$/);
  assert.equal(end, `${begin} ends`);
});

test('a server, its client and what they say', async () => {
  let port = 0;
  const calls = await recordCalls(syscalls, async () => {
    port = await echoOnce('hello');
  });
  const seen = lines(calls)
    .filter((line) => /^(bind|listen|connect|accept4|write|read)\(/.test(line))
    .map((line) => line.replace(/fd: -?\d+/, 'fd').replace(String(port), 'PORT'));
  assert.deepEqual(seen.map((line) => line.replace(/^(accept4.*127.0.0.1:)\d+\) = \d+/, '$1ANY) = fd')).sort(), [
    'accept4(fd, upeer_sockaddr: 127.0.0.1:ANY) = fd',
    'bind(fd, umyaddr: 127.0.0.1:0) = 0',
    'connect(fd, uservaddr: 127.0.0.1:PORT) = 0',
    'listen(fd, backlog: 511) = 0',
    'read(fd, count: 65536) = 0',
    'read(fd, count: 65536) = 0',
    'read(fd, count: 65536) = 5',
    'read(fd, count: 65536) = 5',
    'write(fd, count: 5) = 5',
    'write(fd, count: 5) = 5',
  ]);
});

test('commands that are started, and that cannot be', async () => {
  const calls = await recordCalls(syscalls, async () => {
    await once(spawn('true', ['a', 'b']), 'exit');
    await once(spawn('/no/such/file'), 'error').catch(() => {});
    spawnSync('true');
    spawnSync('/no/such/file', ['x']);
    const child = spawn('sleep', ['100']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    process.kill(process.pid, 0);
  }, ['sys_enter_execve', 'sys_exit_execve', 'sys_enter_kill', 'sys_exit_kill']);
  assert.deepEqual(
    lines(calls).map((line) => line.replace(/pid: (\d+)/, (_, pid) => (Number(pid) === process.pid ? 'own' : 'child'))),
    [
      'execve(filename: true, argv: true a b) = 0',
      'execve(filename: /no/such/file, argv: /no/such/file) = -2',
      'execve(filename: true, argv: true) = 0',
      'execve(filename: /no/such/file, argv: /no/such/file x) = -2',
      'execve(filename: sleep, argv: sleep 100) = 0',
      'kill(child, sig: 9) = 0',
      'kill(own, sig: 0) = 0',
    ],
  );
});

// What strace shows of the same program on Node 20 to 26.
test('functions of process and os that are one system call', async () => {
  const [mask, uid, folderBefore] = [process.umask(), process.getuid!(), process.cwd()];
  const calls = await recordCalls(syscalls, () => {
    process.chdir(folder);
    assert.throws(() => process.chdir(join(folder, 'none')), { code: 'ENOENT' });
    assert.throws(() => process.chdir(1 as never), { code: 'ERR_INVALID_ARG_TYPE' });
    process.umask();
    process.umask(0o27);
    process.umask('22');
    process.getuid!();
    process.getegid!();
    process.setuid!(uid);
    process.seteuid!(uid);
    assert.throws(() => process.setuid!('no such user'), { code: 'ERR_UNKNOWN_CREDENTIAL' });
    process.cpuUsage();
    os.setPriority(os.getPriority());
    assert.throws(() => os.getPriority(2 ** 30), { code: 'ERR_SYSTEM_ERROR' });
  });
  process.umask(mask);
  process.chdir(folderBefore);
  assert.deepEqual(lines(calls), [
    'chdir(filename: ) = 0',
    'chdir(filename: /none) = -2',
    `umask(mask: 0) = ${mask}`,
    `umask(mask: ${mask}) = 0`,
    `umask(mask: ${0o27}) = ${mask}`,
    `umask(mask: ${0o22}) = ${0o27}`,
    `getuid() = ${uid}`,
    `getegid() = ${process.getegid!()}`,
    `setuid(uid: ${uid}) = 0`,
    `setresuid(ruid: ${2 ** 32 - 1}, euid: ${uid}, suid: ${2 ** 32 - 1}) = 0`,
    'getrusage(who: 0) = 0',
    `getpriority(which: 0, who: 0) = ${20 - os.getPriority()}`,
    `setpriority(which: 0, who: 0, niceval: ${os.getPriority()}) = 0`,
    `getpriority(which: 0, who: ${2 ** 30}) = -3`,
  ]);
});

test('one pair of events for all calls', async () => {
  const calls = await recordCalls(rawSyscalls, () => nodeFs.accessSync(folder));
  assert.deepEqual(
    calls.map(({ event, id, ret }) => [event, id, ret]),
    [
      ['sys_enter', 21, undefined],
      ['sys_exit', 21, 0],
    ],
  );
});
