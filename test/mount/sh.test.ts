import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { finished, Sandbox, until } from '../e2e/support/program.js';

const PROGRAM = 'function leaf() {} function handle() { leaf(); } setInterval(handle, 5);';

async function shell(t: TestContext) {
  const sandbox = new Sandbox(t);
  await sandbox.start(PROGRAM);
  /** What `fentry sh -c` prints, and its exit code. */
  const sh = async (commands: string): Promise<string> => {
    const { stdout, stderr, code } = await sandbox.fentry('sh', '-c', commands);
    return `${stdout}${stderr}[${code}]`;
  };
  return { sandbox, sh };
}

test('the files are where the kernel has them', async (t) => {
  const { sh } = await shell(t);
  assert.equal(await sh('pwd; cat current_tracer /sys/kernel/debug/tracing/tracing_on'), '/sys/kernel/tracing\nnop\n1\n[0]');
  assert.equal(await sh('cd options; ls | grep -x sleep-time; cat ../current_tracer'), 'sleep-time\nnop\n[0]');
});

test('> and >> reach the files, also of groups and loops', async (t) => {
  const { sh } = await shell(t);
  assert.equal(
    await sh('echo leaf > set_ftrace_filter; echo handle >> set_ftrace_filter; sort set_ftrace_filter'),
    'handle\nleaf\n[0]',
  );
  assert.equal(await sh('for f in leaf; do echo $f; done > set_ftrace_filter; cat set_ftrace_filter'), 'leaf\n[0]');
  assert.match(await sh(': > set_ftrace_filter; cat set_ftrace_filter'), /all functions enabled/);
  await sh('echo function > current_tracer');
  await until(async () => /^\d+\n\[0\]$/.test(await sh('grep -c handle trace')), 'handle was called');
  assert.equal(await sh('cat trace | head -n 1'), '# tracer: function\n[0]');
  assert.equal(await sh('echo in memory > /tmp/x; cat /tmp/x'), 'in memory\n[0]');
});

test('what a file refuses is the status of the command', async (t) => {
  const { sh } = await shell(t);
  assert.equal(await sh('echo nonsense > current_tracer'), 'bash: current_tracer: Invalid argument\n[1]');
  assert.equal(
    await sh('if echo 1 > README; then echo yes; else echo no; fi 2>/dev/null').then((text) => text.split('\n')[0]),
    'no',
  );
  assert.equal(await sh('echo 1 > nonsense'), 'bash: nonsense: Permission denied\n[1]');
  assert.equal(await sh('cat nonsense'), 'cat: nonsense: No such file or directory\n[1]');
  assert.equal(await sh('mkdir instances/one && ls instances; rmdir instances/one; ls instances; exit 3'), 'one\n[3]');
});

test('commands come from stdin, too', async (t) => {
  const { sandbox } = await shell(t);
  const child = sandbox.spawnFentry('sh');
  child.stdin!.write('echo function > current_tracer\ncat current_tracer\n');
  assert.equal((await finished(child)).stdout, 'function\n');
});

test('trace_pipe is what is there now, and alone on a line it goes on until Ctrl-C', async (t) => {
  const { sandbox, sh } = await shell(t);
  assert.match(await sh('echo one > trace_marker; cat trace_pipe | wc -l'), /^1\n\[0\]$/);
  const child = sandbox.spawnFentry('sh', '-c', 'cat trace_pipe');
  let text = '';
  child.stdout!.on('data', (chunk) => {
    text += chunk;
  });
  await until(async () => {
    await sh('echo two > trace_marker');
    return text.includes('two');
  }, 'the mark has come');
  child.kill('SIGINT');
  await until(() => child.exitCode !== null || child.signalCode !== null, 'the shell has ended');
});

test('what is published needs no package beside it', async (t) => {
  const { sandbox } = await shell(t);
  const alone = join(sandbox.folder, 'alone');
  cpSync('dist', join(alone, 'dist'), { recursive: true });
  cpSync('package.json', join(alone, 'package.json'));
  const { stdout, stderr } = await sandbox.run([
    join(alone, 'dist', 'cli.js'),
    'sh',
    '-c',
    'cat current_tracer; printf "%03d\\n" 7',
  ]);
  assert.equal(stdout + stderr, 'nop\n007\n');
});
