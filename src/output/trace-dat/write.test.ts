import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { defineEvent } from '../../events/define.js';
import { one } from '../../events/fields.js';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { EventRegistry } from '../../events/registry.js';
import { openTraceDat } from './open.js';
import { functionRecord, PageBuilder } from './testing/page-builder.js';
import { aRecording, temporaryFolder } from './testing/recording.js';
import { writeTraceDat } from './write.js';

test('what was written can be read back', (t) => {
  const folder = temporaryFolder(t);
  const pages = new PageBuilder().event(1000, functionRecord(7, 0x1000n, 0n)).bytes();
  writeFileSync(join(folder, 'cpu0'), pages);
  const written = writeTraceDat(join(folder, 't.dat'), {
    ...aRecording(),
    uname: 'Linux 6.1 x86_64',
    cmdlines: [
      [7, 'node'],
      [8, 'a worker'],
    ],
    buffers: [{ name: '', clock: 'mono', cpus: [{ files: [join(folder, 'cpu0')], stats: 'entries: 1\n' }, { files: [] }] }],
  });
  const dat = openTraceDat(join(folder, 't.dat'));
  dat.file.close();
  assert.equal(dat.version, 7);
  assert.equal(written.dataBytes, 4096);
  assert.equal(written.bytes, dat.file.size);
  assert.deepEqual(
    [...dat.cmdlines],
    [
      [7, 'node'],
      [8, 'a worker'],
    ],
  );
  assert.deepEqual(
    dat.buffers[0]!.cpus.map(({ cpu, size }) => [cpu, size]),
    [
      [0, 4096],
      [1, 0],
    ],
  );
  assert.equal(dat.buffers[0]!.cpus[0]!.offset % 4096, 0);
  assert.ok(dat.formats.some((format) => format.name === 'funcgraph_entry' && format.id === 11));
});

test('several files of one CPU follow each other, without the half sub-buffer that a killed process left', (t) => {
  const folder = temporaryFolder(t);
  const page = (fill: number): Buffer => Buffer.alloc(4096, fill);
  writeFileSync(join(folder, 'a'), Buffer.concat([page(1), page(2).subarray(0, 1000)]));
  writeFileSync(join(folder, 'b'), page(3));
  const path = join(folder, 't.dat');
  writeTraceDat(path, {
    ...aRecording(),
    buffers: [{ name: '', clock: 'mono', cpus: [{ files: [join(folder, 'a'), join(folder, 'b')] }] }],
  });
  const [cpu] = openTraceDat(path).buffers[0]!.cpus;
  const bytes = readFileSync(path).subarray(cpu!.offset, cpu!.offset + cpu!.size);
  assert.deepEqual([...new Set(bytes)], [1, 3]);
  assert.equal(cpu!.size, 8192);
});

test('names that begin with $ get a dot, or trace-cmd would drop them', (t) => {
  const path = join(temporaryFolder(t), 't.dat');
  writeTraceDat(path, {
    ...aRecording(),
    kallsyms: ['ffffffff81000000 t $\nffffffff810000', '10 t a$b\t[jquery]\nffffffff81000020 t $x'],
  });
  assert.equal(
    openTraceDat(path).kallsyms.toString(),
    '0000000000000000 T [unknown]\nffffffff81000000 t .$\nffffffff81000010 t a$b\t[jquery]\nffffffff81000020 t .$x\n',
  );
});

test('a file that cannot be completed leaves nothing behind, and the pages stay', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'cpu0'), Buffer.alloc(4096));
  const buffers = [{ name: '', clock: 'mono', cpus: [{ files: [join(folder, 'cpu0'), join(folder, 'missing')] }] }];
  assert.throws(
    () => writeTraceDat(join(folder, 't.dat'), { ...aRecording(), buffers }),
    /t\.dat: cannot be written: no such file.*missing/,
  );
  assert.deepEqual(readdirSync(folder), ['cpu0']);
});

test('a file that cannot be put at its place says why, and leaves nothing behind', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 't.dat', 'in the way'), { recursive: true });
  assert.throws(() => writeTraceDat(join(folder, 't.dat'), aRecording()), /t\.dat: cannot be written: .*directory/);
  assert.deepEqual(readdirSync(folder), ['t.dat']);
});

test('a device is not replaced by a recording, nor a link', (t) => {
  const folder = temporaryFolder(t);
  symlinkSync('/dev/null', join(folder, 'null'));
  assert.throws(() => writeTraceDat(join(folder, 'null'), aRecording()), /null: cannot be written: it is not a regular file/);
  writeFileSync(join(folder, 'real'), '');
  symlinkSync('real', join(folder, 'link'));
  writeTraceDat(join(folder, 'link'), aRecording());
  assert.ok(lstatSync(join(folder, 'link')).isSymbolicLink());
  assert.ok(statSync(join(folder, 'real')).size > 0);
});

test('the name of a thread is one line', (t) => {
  const path = join(temporaryFolder(t), 't.dat');
  writeTraceDat(path, {
    ...aRecording(),
    cmdlines: [
      [7, 'a\n8 b\0c'],
      [9, 'größer 😀'],
    ],
  });
  const { cmdlines, file } = openTraceDat(path);
  file.close();
  assert.deepEqual(
    [...cmdlines],
    [
      [7, 'a?8 b?c'],
      [9, 'größer 😀'],
    ],
  );
});

test('the file has the formats of the events that there are, by group', (t) => {
  const path = join(temporaryFolder(t), 't.dat');
  const events = new EventRegistry();
  const tick = events.register(defineEvent('timer', 'tick', { fields: { n: one('u32') }, print: '"n=%u", REC->n' }));
  writeTraceDat(path, { ...aRecording(), events });
  const { formats, file } = openTraceDat(path);
  file.close();
  assert.deepEqual(
    formats.map(({ system, name, id }) => [system, name, id]),
    [...Object.values(FTRACE_EVENTS), tick].map(({ system, name, id }) => [system, name, id]),
  );
});
