// Asks the real kernel each line of commands.txt and tables.txt, and keeps its answers in answers.txt and table-answers.txt:
// `REFERENCE_KERNEL=COMMAND node test/parity/hist/record.mjs [commands|tables]`, with a kernel that has hist triggers, synthetic
// events and kprobes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const file = (name) => new URL(name, import.meta.url);
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const trigger = (event) => `events/synthetic/${event}/trigger`;

/** What a write answered, and what the error log has of it. */
const written = (path, text) =>
  `echo > error_log; echo ${quoted(text)} 2>&1 >> ${path} | sed 's/.*write error: /! /'; cat error_log | sed 's/^\\[[^]]*\\] //'`;
const shown = (event) => `cat ${trigger(event)} | grep -v '^#'`;
const KINDS = {
  synth: (text) => `${written('synthetic_events', text)}; cat synthetic_events`,
  dyn: (text) => `${written('dynamic_events', text)}; cat dynamic_events`,
  hist: (event, text) => `${written(trigger(event), text)}; ${shown(event)}`,
  once: (event, text) => `${KINDS.hist(event, text)}; : > ${trigger(event)}`,
  clear: (event) => `: > ${trigger(event)}; ${shown(event)}`,
  show: shown,
};

const linesOf = (name) =>
  readFileSync(file(name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
const path = join(mkdtempSync(join(tmpdir(), 'hist-')), 'script.sh');
function record(part, script, answers) {
  if (process.argv[2] !== undefined && process.argv[2] !== part) return;
  writeFileSync(path, script);
  writeFileSync(file(answers), execFileSync(process.env.REFERENCE_KERNEL, [path], { encoding: 'utf8' }));
}

const commands = linesOf('commands.txt').map((line) => {
  const [kind, ...rest] = line.split(' ');
  const args = kind === 'synth' || kind === 'dyn' ? [rest.join(' ')] : [rest[0], rest.slice(1).join(' ')];
  return `echo ${quoted(`>>> ${line}`)}\n${KINDS[kind](...args)}`;
});
record('commands', `${commands.join('\n')}\n`, 'answers.txt');

// Tables of events that bash causes: its masks, and the files that it opens.
const { masks, paths } = JSON.parse(readFileSync(file('hits.json'), 'utf8'));
const set = (event, spec) => `echo ${quoted(spec)} >> events/${event}/trigger 2>/dev/null`;
const doMasks = `for m in ${masks.map((mask) => mask.toString(8)).join(' ')}; do umask $m; done`;
const doOpens = paths.map((path) => `: < ${quoted(`/tmp/h/${path}`)}`).join('\n');
const table = (event) => `cat events/${event}/hist`;
const clear = (...events) => events.map((event) => `: > events/${event}/trigger`).join('; ');
const TABLES = {
  um: (spec) => `${set('kprobes/um', spec)}; ${doMasks}; ${table('kprobes/um')}; ${clear('kprobes/um')}`,
  op: (spec) =>
    `${set('kprobes/op', `${spec} if path ~ "/tmp/h/*"`)}; ${doOpens}; ${table('kprobes/op')}; ${clear('kprobes/op')}`,
  sy: (spec) => {
    const [first, second, third] = spec.split(' | ');
    const synthetic = `synthetic/${second.includes('(st,') ? 'st' : 'sy'}`;
    const setUp = [set('kprobes/um', first), set('kprobes/uz', second), set(synthetic, third)].join('; ');
    return `${setUp}; ${doMasks}; ${table(synthetic)}; ${clear(synthetic, 'kprobes/uz', 'kprobes/um')}`;
  },
};
const SET_UP = `
echo 'p:um __x64_sys_umask mask=+0x70(%di):u32 low=+0x70(%di):s8 wide=+0x70(%di):u64 name=\\"text":string' >> kprobe_events
echo 'r:uz __x64_sys_umask ret=$retval:u32' >> kprobe_events
echo 'p:op do_sys_openat2 path=+0($arg2):ustring' >> kprobe_events
echo 'sy s64 dd; u32 rr; u32 mm' >> synthetic_events
echo 'st s64 dd; char text[]' >> synthetic_events
mkdir /tmp/h
${paths.map((path) => `: > ${quoted(`/tmp/h/${path}`)}`).join('\n')}
`;
const tables = linesOf('tables.txt').map(
  (line) => `umask 22\necho ${quoted(`>>> ${line}`)}\n${TABLES[line.slice(0, 2)](line.slice(3))}`,
);
record('tables', SET_UP + tables.join('\n'), 'table-answers.txt');
