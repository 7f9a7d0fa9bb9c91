import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { cannotExec } from '../mount/mountable.js';
import { execTarget } from './exec-target.js';

const skip = cannotExec('sh');

test('the process’s files lie where the kernel’s are, for the command alone', { skip }, async (t) => {
  const { exec, read, program } = await execTarget(t);
  const script = `
    cd /sys/kernel/tracing
    cat current_tracer /sys/kernel/debug/tracing/current_tracer /sys/devices/system/cpu/possible
    cat /proc/sys/kernel/kptr_restrict
    grep ' handle$' /proc/kallsyms
    awk '$3 == "tracefs" { print $2; exit }' /proc/mounts
    echo from the namespace > trace_marker
  `;
  const { stdout, stderr, code } = await exec('sh', '-c', script);
  assert.equal(stderr, '');
  assert.equal(code, 0);
  assert.match(stdout, /^nop\nnop\n0\n0\n[0-9a-f]{16} t handle\n\/sys\/kernel\/tracing\n$/);
  assert.match(await read('trace'), /sh-\d+ .*tracing_mark_write: from the namespace/);
  assert.equal(readFileSync('/proc/mounts', 'utf8').includes('fuse.fentry'), false);
  assert.equal(program.exitCode, null);
});

test('the exit code is the command’s', { skip }, async (t) => {
  const { sandbox, exec } = await execTarget(t);
  assert.equal((await exec('sh', '-c', 'exit 7')).code, 7);
  assert.equal((await exec('no-such-command')).code, 127);
  assert.equal((await exec('sh', '-c', 'kill -TERM $$')).signal, 'SIGTERM');
  assert.deepEqual(
    readdirSync(sandbox.folder).filter((name) => name.startsWith('fentry-exec-')),
    [],
  );
});

test('ftracetest finds the mount as its first line that holds the word', { skip }, async (t) => {
  const { exec } = await execTarget(t);
  const { stdout } = await exec('sh', '-c', "cat $(grep tracefs /proc/mounts | cut -f2 -d' ' | head -1)/current_tracer");
  assert.equal(stdout, 'nop\n');
});

test('a tracefs that is mounted elsewhere leads to the process too', { skip }, async (t) => {
  const { sandbox } = await execTarget(t);
  const script = 'mount -t tracefs tracefs /mnt && exec "$@" cat /mnt/current_tracer';
  const command = [process.execPath, resolve('dist/cli.js'), 'exec', '--'];
  const options = { encoding: 'utf8', env: sandbox.env() } as const;
  assert.equal(execFileSync('unshare', ['--mount', 'sh', '-c', script, 'sh', ...command], options), 'nop\n');
});

test('after the end of a process its files are ENODEV, and nothing hangs', { skip }, async (t) => {
  const { exec, program } = await execTarget(t);
  const script = `
    exec 2>&1; LC_ALL=C; export LC_ALL
    kill -9 $1
    while cat /sys/kernel/tracing/current_tracer >/dev/null 2>&1; do sleep 0.05; done
    cat /sys/kernel/tracing/current_tracer; echo $?
  `;
  const { stdout } = await exec('sh', '-c', script, 'sh', String(program.pid));
  assert.equal(stdout, 'cat: /sys/kernel/tracing/current_tracer: No such device\n1\n');
});
