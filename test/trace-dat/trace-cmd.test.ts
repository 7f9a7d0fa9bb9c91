import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CpuData } from '../../src/output/trace-dat/index.js';
import {
  functionRecord,
  graphEntry,
  graphExit,
  PageBuilder,
  printRecord,
} from '../../src/output/trace-dat/testing/page-builder.js';
import { temporaryFolder, writeRecording } from '../../src/output/trace-dat/testing/recording.js';
import { reportText } from '../../src/output/trace-dat/testing/report-text.js';
import { samples, unpack } from './samples.js';
import { noTraceCmd, traceCmd } from './trace-cmd.js';

const TEXT = 0xffffffff81000000n;
const OTHER_PROCESS = 0xfffffffe81000000n;
const T = 50_123_456_789n;

const symbols = (text: bigint, names: readonly string[]): string =>
  names.map((name, i) => `${(text + BigInt(i) * 0x100n).toString(16)} t ${name}\t[app]\n`).join('');

const KALLSYMS = [
  symbols(OTHER_PROCESS, ['child.main', 'child.work']),
  symbols(TEXT, ['main', 'Class.method', 'größe', 'a_name_that_is_longer_than_any_column', '$scope']),
];
const CMDLINES: readonly (readonly [number, string])[] = [
  [4711, 'node'],
  [4712, 'worker with blanks'],
  [4800, 'child'],
];
const at = (index: number): bigint => TEXT + BigInt(index) * 0x100n;

/**
 * Three CPUs of two processes: nested calls of all durations, lost events, markers, functions; all of it without fentry's extras
 * or with.
 */
function pages(withExtras: boolean): Buffer[] {
  const flags = withExtras ? 0 : undefined;
  const args = withExtras ? ['1', '{a: "ü"}'] : undefined;
  const main = new PageBuilder();
  let time = T;
  for (const duration of [
    1n,
    999n,
    9_999n,
    10_001n,
    123_456n,
    999_999n,
    1_234_567n,
    999_999_999n,
    12_345_678_901n,
    3_600_000_000_000n,
  ]) {
    main.event(time, graphEntry(4711, at(0), 0, flags, args)).event(time + 10n, graphEntry(4711, at(1), 1, flags));
    main.event(time + duration, graphExit(4711, at(1), 1, time + 10n, time + 10n + duration, flags, withExtras ? '42' : ''));
    main.event(time + duration + 5n, graphExit(4711, at(0), 0, time, time + duration + 5n, flags));
    time += duration + 100n;
  }
  main
    .missed(123)
    .event(time, graphExit(4711, at(2), 3, time - 77n, time, flags))
    .event(time + 1n, printRecord(4711, at(3), 'a marker\n'));
  main.event(time + 2n, graphEntry(4711, 0xffffffff80000000n, 0, flags));
  const worker = new PageBuilder();
  for (let i = 0; i < 300; i++) worker.event(T + BigInt(i) * 1000n, functionRecord(4712, at(i % 4), at((i * 7) % 3), args));
  worker.missed('unknown').event(T + 400_000n, functionRecord(4712, at(4), at(0), args));
  const child = new PageBuilder();
  for (let i = 0; i < 5; i++)
    child.event(T + 10n + BigInt(i), functionRecord(4800 + (i % 2), OTHER_PROCESS + 0x100n, OTHER_PROCESS));
  return [main.bytes(), worker.bytes(), child.bytes()];
}

const recording = (folder: string, withExtras: boolean): string =>
  writeRecording(folder, pages(withExtras), { kallsyms: KALLSYMS, cmdlines: CMDLINES });

test('trace-cmd reports what fentry wrote without complaint, and fentry report prints the same lines', {
  skip: noTraceCmd,
}, (t) => {
  const path = recording(temporaryFolder(t), false);
  const { status, stdout, stderr } = traceCmd('report', '-i', path);
  assert.equal(stderr, '');
  assert.equal(status, 0);
  assert.equal(reportText(path).text.replaceAll('$scope', '.$scope'), stdout);
  for (const text of ['worker with blanks-4712  [001]', 'größe', 'child.work', '[123 EVENTS DROPPED]', '$ 12345678 us |']) {
    assert.ok(stdout.includes(text), text);
  }
});

test('trace-cmd reads past what fentry appends to its records', { skip: noTraceCmd }, (t) => {
  const path = recording(temporaryFolder(t), true);
  const { stdout, stderr } = traceCmd('report', '-i', path);
  assert.equal(stderr, '');
  assert.equal(reportText(path, { extras: false }).text.replaceAll('$scope', '.$scope'), stdout);
  assert.ok(reportText(path).text.includes('main(1, {a: "ü"}) {'));
});

test('counts of a processor with their conversion are shown in seconds, as by trace-cmd', { skip: noTraceCmd }, (t) => {
  const folder = temporaryFolder(t);
  for (const first of [10_446_662_613_204n, 2n ** 53n + 1n]) {
    const cpu = new PageBuilder();
    for (let i = 0n; i < 600n; i++) cpu.event(first + i * i * 3_001n, functionRecord(4711, at(0), at(1)));
    const file = join(folder, 'counts');
    writeFileSync(file, cpu.bytes());
    const path = writeRecording(folder, [], {
      kallsyms: KALLSYMS,
      cmdlines: CMDLINES,
      traceClock: 'local mono [x86-tsc]\n',
      buffers: [{ name: '', clock: 'tsc2nsec', cpus: [{ files: [file] }] }],
      conversion: { mult: 827_180_112, shift: 31 },
    });
    const { stdout, stderr } = traceCmd('report', '-t', '-i', path);
    assert.equal(stderr, '');
    assert.equal(reportText(path, { nanoseconds: true }).text, stdout);
    assert.match(stdout, /\[000\] +\d+\.\d{9}: function:/);
    assert.match(traceCmd('dump', '--options', '-i', path).stdout, /TSC2NSEC, 16 bytes\]\n827180112 31 0 /);
  }
});

test('calls of any depth are indented as by trace-cmd', { skip: noTraceCmd }, (t) => {
  const deep = new PageBuilder();
  const depths = Array.from({ length: 60 }, (_, i) => 490 + i);
  for (const depth of depths) deep.event(T + BigInt(depth), graphEntry(4711, at(1), depth));
  const path = writeRecording(temporaryFolder(t), [deep.bytes()], { kallsyms: KALLSYMS, cmdlines: CMDLINES });
  assert.equal(reportText(path).text, traceCmd('report', '-i', path).stdout);
});

test('instances are labelled as by trace-cmd', { skip: noTraceCmd }, (t) => {
  const folder = temporaryFolder(t);
  const cpu = (number: number): CpuData => {
    const file = join(folder, `cpu${number}`);
    const time = T + BigInt(number) * 500n;
    const events = new PageBuilder().event(time, functionRecord(4711 + number, at(0), at(1)));
    events.event(time + 2000n, graphEntry(4711, at(1), 0)).event(time + 2500n, graphExit(4711, at(1), 0, 1n, 501n));
    writeFileSync(
      file,
      events
        .missed(number)
        .event(time + 9000n, functionRecord(4711, at(1), at(0)))
        .bytes(),
    );
    return { files: [file] };
  };
  const path = writeRecording(folder, [], {
    kallsyms: KALLSYMS,
    cmdlines: CMDLINES,
    buffers: [
      { name: '', clock: 'mono', cpus: [cpu(0), cpu(1)] },
      { name: 'foo', clock: 'mono', cpus: [cpu(2), cpu(3)] },
      { name: 'longer', clock: 'mono', cpus: [cpu(4), { files: [] }] },
    ],
  });
  const { text } = reportText(path);
  assert.equal(text, traceCmd('report', '-i', path).stdout);
  assert.equal(text.match(/^ {3}foo: /gm)?.length, 6);
});

for (const [name, options, flags] of [
  ['-O tailprint', { tailprint: true }, ['-O', 'fgraph:tailprint=1']],
  ['-O depth', { depth: true }, ['-O', 'fgraph:depth=1']],
  ['-O parent', { parent: true }, ['-O', 'parent=1']],
  ['-O indent=0', { indent: false }, ['-O', 'indent=0']],
  ['-t', { nanoseconds: true }, ['-t']],
  ['-l', { latency: true }, ['-l']],
  ['--cpu 1', { cpus: new Set([1]) }, ['--cpu', '1']],
] as const) {
  test(`trace-cmd report ${name} and fentry's are the same`, { skip: noTraceCmd }, (t) => {
    const folder = temporaryFolder(t);
    const paths = [
      recording(folder, false),
      ...samples()
        .filter(({ name }) => name === 'graph' || name === 'function')
        .map((sample) => unpack(sample, folder)),
    ];
    for (const path of paths) {
      assert.equal(
        reportText(path, options).text.replaceAll('$scope', '.$scope'),
        traceCmd('report', '-i', path, ...flags).stdout,
      );
    }
  });
}

test('trace-cmd dump finds every part', { skip: noTraceCmd }, (t) => {
  const path = recording(temporaryFolder(t), true);
  const summary = traceCmd('dump', '--summary', '-i', path);
  assert.equal(summary.status, 0);
  for (const part of [
    '7\t[Version]',
    '3 cpus',
    '[Saved command lines',
    '[Ftrace format, 13 events]',
    '[Header page, 205 bytes]',
  ]) {
    assert.ok(summary.stdout.includes(part), `${part} in\n${summary.stdout}`);
  }
  for (const part of [
    '--events',
    '--cmd-lines',
    '--kallsyms',
    '--options',
    '--flyrecord',
    '--sections',
    '--strings',
    '--validate',
  ]) {
    const { status, stderr } = traceCmd('dump', part, '-i', path);
    assert.deepEqual([part, status, stderr], [part, 0, '']);
  }
});

test('trace-cmd hist counts the calls', { skip: noTraceCmd }, (t) => {
  const cpu = new PageBuilder();
  for (let i = 0; i < 30; i++) cpu.event(T + BigInt(i), functionRecord(4711, at(1 + (i % 2)), i % 3 === 0 ? 0n : at(0), ['1']));
  const path = writeRecording(temporaryFolder(t), [cpu.bytes()], { kallsyms: KALLSYMS, cmdlines: CMDLINES });
  const { status, stdout } = traceCmd('hist', '-i', path);
  assert.equal(status, 0);
  assert.match(stdout, /%50\.00 {2}\(4711\) node +Class\.method #15/);
  assert.match(stdout, /%66\.67-- main/);
});

test('trace-cmd split and convert take it', { skip: noTraceCmd }, (t) => {
  const folder = temporaryFolder(t);
  const path = recording(folder, true);
  const converted = join(folder, 'v6.dat');
  assert.equal(traceCmd('convert', '-i', path, '-o', converted, '--file-version', '6').status, 0);
  assert.equal(reportText(converted, { extras: false }).text, reportText(path, { extras: false }).text);

  assert.equal(traceCmd('split', '-i', path, '-o', join(folder, 'split.dat'), '51', '3000').status, 0);
  const part = ['split.dat', 'split.dat.1'].map((name) => join(folder, name)).find(existsSync);
  assert.ok(part !== undefined, 'split made no file');
  assert.equal(reportText(part, { extras: false }).text, traceCmd('report', '-i', part).stdout);
});

test('places of functions change nothing of what trace-cmd prints', { skip: noTraceCmd }, (t) => {
  const [without, placed] = [temporaryFolder(t), temporaryFolder(t)].map((folder, i) => {
    const places = KALLSYMS.join('').replace(/^(\S+) t .*$/gm, '$1 /srv/größe\\012.ts:12:5');
    return writeRecording(folder, pages(true), {
      kallsyms: KALLSYMS,
      cmdlines: CMDLINES,
      traceId: 1n,
      ...(i === 1 && { places: [`folder /srv\n${places}`] }),
    });
  });
  for (const args of [['report'], ['report', '-O', 'parent'], ['hist']]) {
    const [a, b] = [without!, placed!].map((path) => traceCmd(...args, '-i', path));
    assert.deepEqual(b, a);
    assert.deepEqual([b!.status, b!.stderr], [0, '']);
  }
});
