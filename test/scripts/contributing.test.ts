import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';

/** A line that is put behind another one. */
interface AddedLine {
  readonly file: string;
  readonly behind: string;
  readonly line: string;
}

/** What one new thing touches: files of its own, and lines of files that there are. */
interface Addition {
  readonly section: string;
  readonly files: Readonly<Record<string, string>>;
  readonly lines: readonly AddedLine[];
}

/** One of each kind. */
const ADDITIONS: readonly Addition[] = [
  {
    section: 'Add a tracer',
    files: {
      'src/ftrace/tracers/beep.ts': `
        import type { Tracer } from './tracer.js';
        export const beep = {
          name: 'beep', callback: 'beep_call', allowsInstances: true, options: [{ name: 'beep-twice', value: false }],
        } as const satisfies Tracer;`,
      'src/v8/tracers/beep.ts': `
        import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
        import { writeRecord } from '../../ftrace/tracers/write-record.js';
        import type { ThreadTrace } from './thread-trace.js';
        import { type EntryFunction, IGNORED } from './entry.js';
        export const createBeep = (ctx: ThreadTrace): EntryFunction => (n) => {
          writeRecord(ctx.writer, ctx.clock(), FTRACE_EVENTS.beep, { pid: ctx.pid }, { ip: ctx.addresses[n]!, volume: 11 });
          return IGNORED;
        };`,
    },
    lines: [
      {
        file: 'src/ftrace/tracers/tracers.ts',
        behind: "import { functionTracer } from './function.js';",
        line: "import { beep } from './beep.js';",
      },
      { file: 'src/ftrace/tracers/tracers.ts', behind: 'export const TRACERS = [', line: '  beep,' },
      {
        file: 'src/v8/tracers/tracers.ts',
        behind: "import type { ThreadTrace } from './thread-trace.js';",
        line: "import { createBeep } from './beep.js';",
      },
      {
        file: 'src/v8/tracers/tracers.ts',
        behind: '    nop: variants(() => IGNORED),',
        line: '    beep: variants(createBeep(ctx)),',
      },
    ],
  },
  {
    section: 'Add an event',
    files: {},
    lines: [
      {
        file: 'src/events/ftrace-events.ts',
        behind: 'export const FTRACE_EVENTS = {',
        line: `  beep: ftrace('beep', 40, { fields: { ip: address, volume: one('int') }, print: '"beep at %d", REC->volume' }),`,
      },
    ],
  },
  {
    section: 'Add a control file',
    files: {
      'src/control/hwlat/beep-file.ts': `
        import type { TraceFile } from '../tracefs/node.js';
        import { textFile } from '../tracefs/text-file.js';
        export const beepFile = (): TraceFile => {
          let volume = '11\\n';
          return textFile({ mode: 0o640, show: () => volume, store(text) { volume = text; } });
        };`,
    },
    lines: [
      {
        file: 'src/control/tree/instance-files.ts',
        behind: "import type { TraceInstance } from '../trace-array/instance.js';",
        line: "import { beepFile } from '../hwlat/beep-file.js';",
      },
      {
        file: 'src/control/tree/instance-files.ts',
        behind: '  available_tracers: availableTracers(instance),',
        line: '  beep_volume: beepFile(),',
      },
    ],
  },
  {
    section: 'Add a Node event',
    files: {
      'src/v8/node-events/siren.ts': `
        import { u32 } from '../../tracepoint/fields.js';
        import { nodeEventSystem } from './node-event-system.js';
        export const siren = nodeEventSystem<{ siren_turn: [volume: number] }>('siren', {
          events: { siren_turn: { args: ['volume'], fields: { volume: u32((volume) => volume) }, print: '"volume=%u", REC->volume' } },
          sources: [
            {
              events: ['siren_turn'],
              start: ({ siren_turn }, thread) => thread.contexts.listen({ level: -4, running: () => siren_turn(11) }),
            },
          ],
        });`,
    },
    lines: [
      {
        file: 'src/v8/node-events/index.ts',
        behind: "import { signal } from './signal.js';",
        line: "import { siren } from './siren.js';",
      },
      { file: 'src/v8/node-events/index.ts', behind: '  signal,', line: '  siren,' },
    ],
  },
  {
    section: 'Add a CPU',
    files: {
      'src/native/machines/beep/elf-abi.ts': `
        import type { ElfAbi } from '../../elf/elf-abi.js';
        import { elfAbi as x86 } from '../x86-64/elf-abi.js';
        export const elfAbi: ElfAbi = { ...x86, number: 4711 };`,
      'src/native/machines/beep/machine.ts': `
        import type { Machine } from '../../machine/machine.js';
        import { X86_64 } from '../x86-64/machine.js';
        export const BEEP: Machine = { ...X86_64, name: 'beep', listing: { ...X86_64.listing, objdumps: [] } };`,
    },
    lines: [
      {
        file: 'src/native/machines/elf-abis.ts',
        behind: "import type { ElfAbi } from '../elf/elf-abi.js';",
        line: "import { elfAbi as beep } from './beep/elf-abi.js';",
      },
      { file: 'src/native/machines/elf-abis.ts', behind: "  'x86-64': x86,", line: '  beep,' },
      {
        file: 'src/native/machines/machines.ts',
        behind: "import type { Machine } from '../machine/machine.js';",
        line: "import { BEEP } from './beep/machine.js';",
      },
      { file: 'src/native/machines/machines.ts', behind: "  'x86-64': X86_64,", line: '  beep: BEEP,' },
    ],
  },
  {
    section: 'Add a feature of the kernel',
    files: {
      'src/control/siren/siren.ts': `
        import { type Feature, onOff } from '../tracefs/feature.js';
        import { readOnly, textFile } from '../tracefs/text-file.js';
        class Siren { isOn = false; turns = 0; turn(): void { if (this.isOn) this.turns += 1; } }
        const siren = new Siren();
        export const sirenFeature: Feature<object> = {
          name: 'siren',
          files: () => ({
            siren_on: textFile({
              mode: 0o640,
              show: () => (siren.isOn ? '1\\n' : '0\\n'),
              store(text) { siren.isOn = text.trim() === '1'; siren.turn(); },
            }),
            siren_turns: readOnly(() => String(siren.turns) + '\\n'),
          }),
          help: '  siren_on - 1 turns the siren on',
          parameters: [['traceoff_on_warning', onOff('siren_on')]],
        };`,
    },
    lines: [
      { file: 'scripts/check-layers.mjs', behind: "  'hwlat',", line: "  'siren'," },
      { file: 'src/ftrace/tracers/features.ts', behind: "  'stack tracer',", line: "  'siren'," },
      {
        file: 'src/control/tree/features.ts',
        behind: "import type { TracedProcess } from '../process/traced-process.js';",
        line: "import { sirenFeature } from '../siren/siren.js';",
      },
      { file: 'src/control/tree/features.ts', behind: '  hwlatFeature,', line: '  sirenFeature,' },
    ],
  },
  {
    section: 'Add a verb',
    files: {
      'src/cli/verbs/beep.ts': `
        import { parseOptionsOnly } from '../arguments.js';
        import { print } from '../output.js';
        import type { Verb } from '../verb.js';
        export const beep: Verb = {
          name: 'beep', synopsis: '', summary: 'beep', options: {}, help: '',
          run(args) { parseOptionsOnly(args, {}); print('beep\\n'); return Promise.resolve(0); },
        };`,
    },
    lines: [
      {
        file: 'src/cli/verbs.ts',
        behind: "import { attach } from './verbs/attach.js';",
        line: "import { beep } from './verbs/beep.js';",
      },
      { file: 'src/cli/verbs.ts', behind: 'export const VERBS: readonly Verb[] = [', line: '  beep,' },
    ],
  },
];

/** A copy of the tree with all of them. */
function treeWithAdditions(t: TestContext): string {
  const tree = mkdtempSync(join(tmpdir(), 'fentry-contributing-'));
  t.after(() => rmSync(tree, { recursive: true, force: true }));
  for (const name of ['src', 'scripts', 'package.json', 'package-lock.json', 'LICENSE', 'tsconfig.json', 'tsconfig.types.json'])
    cpSync(name, join(tree, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(tree, 'node_modules'));
  for (const { files, lines } of ADDITIONS) {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(tree, dirname(file)), { recursive: true });
      writeFileSync(join(tree, file), `${text}\n`);
    }
    for (const { file, behind, line } of lines) {
      const text = readFileSync(join(tree, file), 'utf8');
      assert.equal(text.split(behind).length, 2, `${file} has one line ${behind}`);
      writeFileSync(
        join(tree, file),
        text.replace(behind, () => `${behind}\n${line}`),
      );
    }
  }
  return tree;
}

/** A relocatable object of the machine with the number 4711: one function, `shout`, which returns at once. */
function beepObject(): Buffer {
  const names = Buffer.from('\0.text\0.symtab\0.strtab\0shout\0');
  const nameAt = (name: string): number => names.indexOf(`\0${name}\0`) + 1;
  const [text, symbols, strings, sections] = [64, 72, 120, 152] as const;
  const object = Buffer.alloc(sections + 4 * 64);
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(object);
  object.writeUInt16LE(1, 16);
  object.writeUInt16LE(4711, 18);
  object.writeUInt32LE(1, 20);
  object.writeUInt32LE(sections, 40);
  for (const [at, value] of [
    [52, 64],
    [58, 64],
    [60, 4],
    [62, 3],
  ] as const)
    object.writeUInt16LE(value, at);
  object[text] = 0xc3;
  // st_name, st_info (a global function), st_shndx, st_value, st_size of the second symbol.
  object.writeUInt32LE(nameAt('shout'), symbols + 24);
  object[symbols + 28] = 0x12;
  object.writeUInt16LE(1, symbols + 30);
  object.writeUInt32LE(1, symbols + 40);
  names.copy(object, strings);
  const headers = [
    { name: '.text', type: 1, flags: 6, at: text, size: 1, link: 0 },
    { name: '.symtab', type: 2, flags: 0, at: symbols, size: 48, link: 3 },
    { name: '.strtab', type: 3, flags: 0, at: strings, size: names.length, link: 0 },
  ];
  for (const [i, { name, type, flags, at, size, link }] of headers.entries()) {
    const header = sections + (i + 1) * 64;
    for (const [offset, value] of [
      [0, nameAt(name)],
      [4, type],
      [8, flags],
      [24, at],
      [32, size],
      [40, link],
    ] as const)
      object.writeUInt32LE(value, header + offset);
  }
  return object;
}

function run(tree: string, ...args: readonly string[]): string {
  const { FENTRY: _parameters, NODE_OPTIONS: _options, ...env } = process.env;
  const child = spawnSync(process.execPath, args, { cwd: tree, env: { ...env, FENTRY_DIR: tree }, encoding: 'utf8' });
  assert.equal(child.status, 0, `node ${args.join(' ')}: ${child.stdout}${child.stderr}`);
  return child.stdout;
}

test('CONTRIBUTING names every file that a new thing touches', () => {
  const sections = new Map(
    readFileSync('CONTRIBUTING.md', 'utf8')
      .split(/^## /m)
      .map((section) => [section.slice(0, section.indexOf('\n')), section]),
  );
  for (const { section, files, lines } of ADDITIONS) {
    const text = sections.get(section) ?? '';
    for (const { file } of lines) assert.ok(text.includes(`\`${file}\``), `${section}: ${file}`);
    for (const file of Object.keys(files)) {
      const folder = existsSync(dirname(file)) ? dirname(file) : dirname(dirname(file));
      assert.ok(text.includes(`\`${folder}/\``), `${section}: ${folder}`);
    }
  }
});

test('a tracer, events, a control file, a feature, a CPU and a verb that are added so work together', (t) => {
  const tree = treeWithAdditions(t);
  writeFileSync(
    join(tree, 'tsconfig.source.json'),
    JSON.stringify({
      extends: './tsconfig.json',
      include: ['src'],
      exclude: ['**/*.test.ts', '**/testing/**', 'src/page', 'src/v8/parser'],
    }),
  );
  run(tree, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.source.json', '--noEmit');
  run(tree, 'scripts/check-layers.mjs');
  run(tree, 'scripts/build.mjs', '--no-types');
  assert.equal(run(tree, 'dist/cli.js', 'beep'), 'beep\n');
  writeFileSync(join(tree, 'shout.o'), beepObject());
  assert.match(
    run(tree, 'dist/cli.js', 'disassemble', '--file', 'shout.o', 'shout'),
    /^shout at 0x\w+, 1 bytes, beep\n[\s\S]*\bret$/m,
  );
  writeFileSync(join(tree, 'app.cjs'), 'function loud() {}\nsetInterval(loud, 5);\n');
  writeFileSync(
    join(tree, 'watch.mjs'),
    `import { spawn, spawnSync } from 'node:child_process';
    const app = spawn(process.execPath, ['--import', './dist/index.js', 'app.cjs'], { env: { ...process.env, FENTRY: 'ftrace=beep traceoff_on_warning trace_event=siren:siren_turn' } });
    const fentry = (...args) => spawnSync(process.execPath, ['dist/cli.js', ...args, '--pid', String(app.pid)], { encoding: 'utf8' });
    let trace = '';
    for (let looks = 0; looks < 600 && !(trace.includes('beep at') && trace.includes('siren_turn')); looks++) trace = fentry('cat', 'trace').stdout;
    console.log(JSON.stringify({
      siren: trace.split('\\n').find((line) => line.includes('siren_turn')),
      on: fentry('write', 'siren_on', '1').status,
      turns: fentry('cat', 'siren_turns').stdout,
      readme: fentry('cat', 'README').stdout,
      trace: trace.split('\\n').find((line) => line.includes('beep at')),
      tracers: fentry('cat', 'available_tracers').stdout,
      enabled: fentry('cat', 'enabled_functions').stdout,
      format: fentry('cat', 'events/ftrace/beep/format').stdout.split('\\n')[0],
      options: fentry('cat', 'trace_options').stdout,
      volume: fentry('cat', 'beep_volume').stdout,
    }));
    app.kill('SIGKILL');`,
  );
  const seen = JSON.parse(run(tree, 'watch.mjs')) as Record<string, string>;
  assert.match(seen['trace'] ?? '', /: beep: beep at 11$/);
  assert.match(seen['siren'] ?? '', /: siren_turn: volume=11$/);
  assert.deepEqual([seen['on'], seen['turns']], [0, '2\n'], 'FENTRY and the write have turned it');
  assert.match(seen['readme'] ?? '', /^ {2}siren_on - 1 turns the siren on$/m);
  assert.match(seen['tracers'] ?? '', /^beep hwlat /);
  assert.match(seen['enabled'] ?? '', /^loud \(1\) .*beep_call/m);
  assert.match(seen['options'] ?? '', /^nobeep-twice$/m);
  assert.deepEqual([seen['format'], seen['volume']], ['name: beep', '11\n']);
});
