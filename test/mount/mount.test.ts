import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '../e2e/support/program.js';
import { CANNOT_MOUNT } from './mountable.js';
import { mounted as mountedProgram, sh } from './mounted.js';

const PROGRAM = `
function leaf(n) { return n * 2; }
function handle(n) { return leaf(n) + leaf(n + 1); }
setInterval(() => { for (let i = 0; i < 5; i++) handle(i); }, 5);
`;
const mounted = (t: TestContext) => mountedProgram(t, PROGRAM);
const skip = CANNOT_MOUNT;
const NO_BUSYBOX = spawnSync('busybox', ['true']).error !== undefined && 'busybox is not installed';

test('a shell finds what it finds in tracefs', { skip }, async (t) => {
  const { directory, shell } = await mounted(t);
  assert.match(readFileSync('/proc/mounts', 'utf8'), /^tracefs \/\S+\/my\\040tracing fuse\.fentry /m);
  assert.equal(await shell('cat current_tracer'), 'nop\n');
  assert.equal(await shell('echo function > current_tracer; echo $?; cat current_tracer'), '0\nfunction\n');
  // dash knows no words for the errno; the tools have them.
  assert.match(await shell('echo nonsense | tee current_tracer'), /tee: current_tracer: Invalid argument/);
  const modes = await shell('stat -c "%a %u %s %F" . trace trace_marker README per_cpu per_cpu/cpu0/trace_pipe_raw');
  assert.equal(
    modes,
    `${['700 0 0 directory', '640 0 0 regular empty file', '220 0 0 regular empty file', '440 0 0 regular empty file', '750 0 0 directory', `440 0 ${2 ** 40} regular file`].join('\n')}\n`,
  );
  const inodes = readdirSync(directory).map((name) => statSync(join(directory, name)).ino);
  assert.equal(new Set(inodes).size, inodes.length);
});

test('> truncates, >> appends, and a filter holds when the shell has written it', { skip }, async (t) => {
  const { shell } = await mounted(t);
  assert.equal(await shell('echo leaf > set_ftrace_filter; cat set_ftrace_filter'), 'leaf\n');
  assert.equal(await shell('echo handle >> set_ftrace_filter; sort set_ftrace_filter'), 'handle\nleaf\n');
  assert.equal(await shell('printf handle > set_ftrace_filter; cat set_ftrace_filter'), 'handle\n');
  assert.equal(await shell('{ echo leaf; echo handle; } > set_ftrace_filter; sort set_ftrace_filter'), 'handle\nleaf\n');
  assert.match(await shell(': > set_ftrace_filter; cat set_ftrace_filter'), /all functions enabled/);
  assert.match(await shell('yes leaf | head -n 10000 > set_ftrace_filter; echo $?; cat set_ftrace_filter'), /^0\nleaf\n$/);
});

test('what tracefs refuses is refused with its errno', { skip }, async (t) => {
  const { shell } = await mounted(t);
  const refused = await shell('touch x; mkdir y; rm -f trace; mv trace z; ln -s a b; ls nonsense; rmdir per_cpu');
  const words = refused.match(/Permission denied|Operation not permitted|No such file or directory/g);
  assert.deepEqual(words, [
    'Permission denied',
    ...Array.from({ length: 4 }, () => 'Operation not permitted'),
    'No such file or directory',
    'Operation not permitted',
  ]);
  assert.equal(await shell('chmod 600 trace; stat -c %a trace'), '600\n');
  assert.equal(await shell('touch -d @978307200 trace; stat -c %Y trace'), '978307200\n');
});

test('a directory that was removed is empty for who is in it', { skip }, async (t) => {
  const { shell } = await mounted(t);
  assert.equal(
    await shell('mkdir instances/a; cd instances/a; rmdir ../a; ls; echo $?; cat trace'),
    '0\ncat: trace: No such file or directory\n',
  );
});

test('what was defined is read behind its definition', { skip }, async (t) => {
  const { shell } = await mounted(t);
  assert.equal(await shell('exec 3<> kprobe_events; echo "p:z handle" >&3; cat <&3; exec 3>&-'), 'p:kprobes/z handle\n');
});

test('a trace is the same in pieces of any size, and can be read again from its start', { skip }, async (t) => {
  const { directory, shell } = await mounted(t);
  await shell('echo function > current_tracer; until grep -q leaf trace; do sleep 0.05; done; echo 0 > tracing_on');
  // What the program wrote at that moment is there when it has obeyed this.
  await shell('echo handle > set_ftrace_filter');
  const ways = [
    'head -c 3000 trace',
    'dd if=trace bs=1 count=3000',
    'dd if=trace bs=100 count=30',
    'tail -c +1 trace | head -c 3000',
  ];
  const sums = await Promise.all(ways.map((way) => shell(`{ ${way}; } 2>/dev/null | md5sum`)));
  assert.equal(new Set(sums).size, 1);
  const fd = openSync(join(directory, 'trace'), 'r');
  const [first, again] = [Buffer.alloc(500), Buffer.alloc(500)];
  readSync(fd, first, 0, 500, 0);
  readSync(fd, again, 0, 500, 0);
  closeSync(fd);
  assert.deepEqual(again, first);
});

test('sendfile(2), by which busybox’s cat reads, gives a file as read(2) does', { skip: skip || NO_BUSYBOX }, async (t) => {
  const { shell } = await mounted(t);
  assert.equal(
    await shell('busybox cat current_tracer; echo function > current_tracer; busybox cat current_tracer'),
    'nop\nfunction\n',
  );
  // The filter has the program obey: what it wrote at that moment is there then.
  await shell('echo 0 > tracing_on; echo handle > set_ftrace_filter');
  for (const name of ['README', 'trace', 'available_filter_functions']) {
    assert.equal(await shell(`busybox cat ${name}`), await shell(`dd bs=65536 if=${name} 2>/dev/null`));
    assert.equal(await shell(`stat -c %s ${name}`), '0\n');
  }
});

test('busybox’s cat shows trace_pipe as it comes, into a pipe', { skip: skip || NO_BUSYBOX }, async (t) => {
  const { directory, shell } = await mounted(t);
  const cat = spawn('busybox', ['cat', 'trace_pipe'], { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  cat.stdout.on('data', (chunk) => {
    text += chunk;
  });
  for (const word of ['one', 'two', 'three']) {
    await shell(`echo ${word} > trace_marker`);
    await until(() => text.includes(`tracing_mark_write: ${word}\n`), 'the mark has come');
  }
  cat.kill('SIGINT');
  await until(() => cat.signalCode === 'SIGINT', 'cat has ended');
  assert.equal(text.split('\n').length, 4);
});

test('a word may be written by several processes, one after the other', { skip }, async (t) => {
  const { shell } = await mounted(t);
  const print = (text: string): string => `/usr/bin/env printf ${text}`;
  for (const name of ['set_ftrace_filter', 'set_ftrace_notrace', 'set_graph_function']) {
    assert.equal(await shell(`{ ${print('le')}; ${print("'af '")}; } > ${name}; echo $?; cat ${name}`), '0\nleaf\n');
    assert.equal(
      await shell(`{ ${print('leaf')}; ${print("'\\nhan'")}; ${print('dle')}; } > ${name}; sort ${name}`),
      'handle\nleaf\n',
    );
  }
});

test('a file that is open for both is read from anywhere, and what is written to it is kept', { skip }, async (t) => {
  const { sandbox, directory, shell } = await mounted(t);
  const script = sandbox.file(
    'both.pl',
    `use Fcntl qw(:DEFAULT SEEK_SET);
my ($name, $flags, $text) = @ARGV;
sysopen(my $file, $name, O_RDWR | ($flags eq 'trunc' ? O_TRUNC : 0)) or die;
sub readFrom { sysseek($file, $_[0], SEEK_SET); sysread($file, my $bytes, 100); $bytes =~ s/\n/|/g; print "$bytes\n" }
readFrom(0); readFrom(2);
print syswrite($file, "$text\n"), "\n";
readFrom(0);
close($file);
`,
  );
  const both = (name: string, flags: string, text: string) => shell(`perl ${script} "${directory}/${name}" ${flags} ${text}`);
  assert.equal(await both('current_tracer', 'trunc', 'function'), 'nop|\np|\n9\nfunction|\n');
  await shell('echo leaf > set_ftrace_filter');
  assert.match(await both('set_ftrace_filter', 'keep', 'handle'), /^leaf\|\naf\|\n7\n/);
  assert.equal(await shell('sort set_ftrace_filter'), 'handle\nleaf\n');
  assert.match(await both('set_ftrace_filter', 'trunc', 'handle'), /\n7\n/);
  assert.equal(await shell('cat set_ftrace_filter'), 'handle\n');
});

test('tracing_cpumask is read as a whole, from wherever', { skip }, async (t) => {
  const { directory } = await mounted(t);
  const fd = openSync(join(directory, 'tracing_cpumask'), 'r');
  const read = (at: number, size: number): string => {
    const bytes = Buffer.alloc(size);
    return bytes.toString('latin1', 0, readSync(fd, bytes, 0, size, at));
  };
  const mask = read(0, 100);
  assert.throws(() => read(0, mask.length), { code: 'EINVAL' });
  assert.equal(read(0, mask.length + 1), mask);
  assert.throws(() => read(1, 1), { code: 'EINVAL' });
  assert.equal(read(mask.length, 100), '');
  assert.equal(read(mask.length - 1, 100), '\n');
  closeSync(fd);
});

test('a mask of all cpus takes marks, too, whose cpu comes later', { skip }, async (t) => {
  const { shell } = await mounted(t);
  assert.equal(
    await shell('cat tracing_cpumask > ../mask; cat ../mask > tracing_cpumask; echo taken > trace_marker; echo $?'),
    '0\n',
  );
  assert.match(await shell('cat trace'), /tracing_mark_write: taken/);
});

test('there are no extended attributes', { skip }, async (t) => {
  const { shell } = await mounted(t);
  const script = 'my ($path, $list) = ("trace", ""); my $bytes = syscall(194, $path, $list, 0); print $bytes';
  if (process.arch === 'x64') assert.equal(await shell(`perl -e '${script}'`), '0');
});

test('a directory has a link more for each directory in it', { skip }, async (t) => {
  const { shell } = await mounted(t);
  const links =
    'for d in . instances instances/* options per_cpu/cpu0; do echo $(stat -c %h $d) $(find $d -mindepth 1 -maxdepth 1 -type d | wc -l); done';
  for (const line of (await shell(`mkdir instances/one; ${links}`)).trimEnd().split('\n')) {
    const [linked, directories] = line.split(' ').map(Number);
    assert.equal(linked, 2 + directories!);
  }
});

test('O_DIRECT is refused', { skip }, async (t) => {
  const { directory } = await mounted(t);
  assert.throws(() => openSync(join(directory, 'trace'), constants.O_DIRECT), { code: 'EINVAL' });
});

test('what has no places cannot be sought in', { skip }, async (t) => {
  const { directory } = await mounted(t);
  const read = (name: string): number => {
    const fd = openSync(join(directory, name), 'r');
    try {
      return readSync(fd, Buffer.alloc(1), 0, 1, 1);
    } finally {
      closeSync(fd);
    }
  };
  for (const name of ['trace_pipe', 'trace_marker', 'trace_marker_raw', 'free_buffer']) {
    assert.throws(() => read(name), { code: 'ESPIPE' });
  }
  assert.equal(read('current_tracer'), 1);
  assert.equal(read('saved_cmdlines_size'), 1);
});

test('cat trace_pipe waits, shows what comes, and ends with Ctrl-C', { skip }, async (t) => {
  const { directory, shell } = await mounted(t);
  const cat = spawn('cat', ['trace_pipe'], { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  cat.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await shell('echo hello from a shell > trace_marker');
  await until(() => text.includes('hello from a shell'), 'the mark has come');
  assert.match(text, /^\s+sh-\d+ .*tracing_mark_write: hello from a shell$/m);
  cat.kill('SIGINT');
  await until(() => cat.signalCode === 'SIGINT', 'cat has ended');
});

test('poll tells when there is something, and O_NONBLOCK may come late', { skip }, async (t) => {
  const { sandbox, directory, shell } = await mounted(t);
  const script = sandbox.file(
    'poll.pl',
    `use Fcntl;
open(my $pipe, '<', "$ARGV[0]/trace_pipe") or die;
my $bits = ''; vec($bits, fileno($pipe), 1) = 1;
print 'now ', select(my $now = $bits, undef, undef, 0) + 0, "\\n";
fcntl($pipe, F_SETFL, fcntl($pipe, F_GETFL, 0) | O_NONBLOCK);
print 'read ', (defined sysread($pipe, my $text, 100) ? 'something' : $!{EAGAIN} ? 'EAGAIN' : $!), "\\n";
system("echo mark > '$ARGV[0]/trace_marker'");
print 'then ', select(my $then = $bits, undef, undef, 30) + 0, "\\n";
sysread($pipe, my $text, 1000);
system("echo 0 > '$ARGV[0]/tracing_on'");
print 'off ', (defined sysread($pipe, $text, 100) ? 'end' : $!{EAGAIN} ? 'EAGAIN' : $!), "\\n";
open(my $ordinary, '<', "$ARGV[0]/trace") or die;
$bits = ''; vec($bits, fileno($ordinary), 1) = 1;
print 'ordinary ', select(my $in = $bits, my $out = $bits, undef, 0) + 0, "\\n";
`,
  );
  assert.equal(await shell(`perl ${script} "${directory}"`), 'now 0\nread EAGAIN\nthen 1\noff EAGAIN\nordinary 2\n');
});

test('instances are made and removed, and are new ones when they come again', { skip }, async (t) => {
  const { shell } = await mounted(t);
  assert.equal(
    await shell(
      'mkdir instances/one; ls instances; echo leaf > instances/one/set_ftrace_filter; cat instances/one/set_ftrace_filter',
    ),
    'one\nleaf\n',
  );
  assert.match(await shell('mkdir instances/one'), /File exists/);
  assert.match(await shell('exec 5< instances/one/trace; rmdir instances/one'), /busy/);
  assert.equal(await shell('rmdir instances/one; [ -d instances/one ] || echo gone'), 'gone\n');
  assert.match(
    await shell('mkdir instances/one; cat instances/one/set_ftrace_filter; rmdir instances/one'),
    /all functions enabled/,
  );
  assert.match(await shell('rmdir instances/one'), /No such file/);
});

test('everyday tools survive: grep -r, ls -lR, find, tail -f, cp, diff, vim', { skip }, async (t) => {
  const { sandbox, shell } = await mounted(t);
  assert.match(await shell('grep -r . options | sort | head -n 1'), /^options\/\S+:[01]\n$/);
  assert.equal(await shell('ls -lR > /dev/null; echo $?; find . -type f | wc -l | grep -c "[0-9][0-9]"'), '0\n1\n');
  assert.equal(
    await shell(`cp current_tracer ${sandbox.folder}/copy; diff current_tracer ${sandbox.folder}/copy; echo $?`),
    '0\n',
  );
  assert.equal(
    await shell('echo function > current_tracer; timeout 20 tail -n +1 -f trace_pipe | head -n 2 | grep -c node'),
    '2\n',
  );
  if ((await shell('command -v vim')) !== '') {
    assert.equal(await shell("vim -es -u NONE -n -c '%s/1/0/' -c wq tracing_on; cat tracing_on"), '0\n');
  }
});

test('when the process ends, what is open answers ENODEV and the mount goes', { skip }, async (t) => {
  const { sandbox, program, directory } = await mounted(t);
  const fd = openSync(join(directory, 'trace'), 'r');
  program.kill('SIGKILL');
  await until(() => !readFileSync('/proc/mounts', 'utf8').includes(`${sandbox.folder}/`), 'the mount is gone');
  assert.deepEqual(readdirSync(directory), []);
  assert.throws(() => readSync(fd, Buffer.alloc(100)), { code: 'ENODEV' });
  closeSync(fd);
});

test('unmount says what prevents it, and a killed server’s mount is replaced', { skip }, async (t) => {
  const { sandbox, directory, shell } = await mounted(t);
  const twice = await sandbox.fentry('mount', directory);
  assert.match(twice.stderr, /is already a mount of fentry \(EBUSY\)/);
  const fd = openSync(join(directory, 'trace'), 'r');
  assert.match(
    (await sandbox.fentry('unmount', directory)).stderr,
    /is in use: a process has an open file or its working directory there.*\(EBUSY\)/,
  );
  closeSync(fd);
  const server = serverOf(sandbox.sockets);
  process.kill(server, 'SIGKILL');
  await until(async () => /not connected/.test(await sh('/', `ls '${directory}'`)), 'the server is dead');
  assert.equal((await sandbox.fentry('mount', directory)).stderr, '');
  assert.equal(await shell('cat current_tracer'), 'nop\n');
  assert.equal((await sandbox.fentry('unmount', directory)).code, 0);
  assert.match((await sandbox.fentry('unmount', directory)).stderr, /is not a mount of fentry \(EINVAL\)/);
});

/** The process that serves the mount of the sandbox's only program. */
function serverOf(sockets: string): number {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      if (command.includes('fuse.js') && command.includes(sockets)) return Number(name);
    } catch {
      // It ended meanwhile.
    }
  }
  return assert.fail('no server');
}
