import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ENTRY_RESUMED, EXIT_SUSPENDED } from '../events/ftrace-events.js';
import { graphEntry, graphExit, PageBuilder } from '../output/trace-dat/testing/page-builder.js';
import { temporaryFolder, writeRecording } from '../output/trace-dat/testing/recording.js';
import { dump } from './cpu-profile.js';
import { type Selection, shownBy, tracksOf } from './selection.js';
import { dumpTo } from './testing/dump-to.js';

const MAIN = 0xffffffff81000000n;
const F = 0xffffffff81000100n;
const G = 0xffffffff81000200n;
/** ns: 0.4 us behind a microsecond. */
const T = 1_000_400n;

const record = (t: TestContext, ...cpus: readonly PageBuilder[]): string =>
  writeRecording(
    temporaryFolder(t),
    cpus.map((pages) => pages.bytes()),
    {
      version: '0',
      kallsyms: [
        'ffffffff81000000 t main\nffffffff81000100 t Class.f\t[express]\nffffffff81000200 t g\nffffffff81000300 t end\n',
      ],
      cmdlines: [[7, 'node']],
      places: [
        'folder /srv/my shop\nffffffff81000000 /srv/my shop/main.ts:3:1\nffffffff81000200 :9:7\nffffffff81000100 node:fs:5:0\n',
      ],
    },
  );

function dumped(path: string, selection: Selection = {}) {
  const pieces: Buffer[] = [];
  const warnings = dumpTo(dump, path, { write: (bytes) => pieces.push(Buffer.from(bytes)) > 0 }, selection);
  return { profile: JSON.parse(Buffer.concat(pieces).toString('utf8')), warnings, text: Buffer.concat(pieces).toString('utf8') };
}

/** The stack of each sample, without the root, and how long it runs. */
function stacks({ nodes, samples, timeDeltas }: ReturnType<typeof dumped>['profile']): readonly string[] {
  const names = new Map<number, string>();
  for (const { id, callFrame, children } of nodes) {
    const path = names.get(id);
    const name = path === undefined ? '' : `${path}${path === '' ? '' : ';'}${callFrame.functionName}`;
    names.set(id, name);
    for (const child of children) names.set(child, name);
  }
  return samples.map((id: number, i: number) => `${names.get(id)} ${timeDeltas[i + 1] ?? 'end'}`);
}

/** main calls Class.f (2 us), then g (3 us, of which 1 us in Class.f), each 0.3 us late; 10 us in all. */
const nested = (task = 7): PageBuilder =>
  new PageBuilder()
    .event(T, graphEntry(task, MAIN, 0))
    .event(T + 1300n, graphEntry(task, F, 1))
    .event(T + 3300n, graphExit(task, F, 1, T + 1300n, T + 3300n))
    .event(T + 4300n, graphEntry(task, G, 1))
    .event(T + 5300n, graphEntry(task, F, 2))
    .event(T + 6300n, graphExit(task, F, 2, T + 5300n, T + 6300n))
    .event(T + 7300n, graphExit(task, G, 1, T + 4300n, T + 7300n))
    .event(T + 10_000n, graphExit(task, MAIN, 0, T, T + 10_000n));

test('a profile has a sample at each change of the stack, and functions their places', (t) => {
  const { profile, warnings, text } = dumped(record(t, nested()));
  assert.deepEqual(warnings, []);
  assert.ok(text.startsWith('{"nodes":['), text.slice(0, 20));
  assert.deepEqual(stacks(profile), [
    'main 2',
    'main;Class.f [express] 2',
    'main 1',
    'main;g 1',
    'main;g;Class.f [express] 1',
    'main;g 1',
    'main 2',
    '(idle) end',
  ]);
  assert.deepEqual([profile.startTime, profile.endTime, profile.timeDeltas[0]], [1000, 1010, 0]);
  const place = (lineNumber: number, columnNumber: number, url = '', scriptId = '0') => ({
    scriptId,
    url,
    lineNumber,
    columnNumber,
  });
  const file = 'file:///srv/my%20shop/main.ts';
  const nodes = profile.nodes.map(({ callFrame, hitCount, children }: Record<string, unknown>) => [
    callFrame,
    hitCount,
    children,
  ]);
  assert.deepEqual(nodes, [
    [{ functionName: '(root)', ...place(-1, -1) }, 0, [2, 3]],
    [{ functionName: 'main', ...place(2, 0, file, '1') }, 3, [4, 5]],
    [{ functionName: 'g', ...place(8, 6, file, '1') }, 2, [6]],
    [{ functionName: 'Class.f [express]', ...place(4, -1, 'node:fs', '2') }, 1, []],
    [{ functionName: 'Class.f [express]', ...place(4, -1, 'node:fs', '2') }, 1, []],
    [{ functionName: '(idle)', ...place(-1, -1) }, 1, []],
  ]);
});

test('moments are rounded, so that many short calls keep their sum', (t) => {
  const pages = new PageBuilder().event(T, graphEntry(7, MAIN, 0));
  for (let i = 0n; i < 1000n; i++) {
    const at = T + i * 700n;
    pages.event(at, graphEntry(7, F, 1)).event(at + 300n, graphExit(7, F, 1, at, at + 300n));
  }
  pages.event(T + 700_000n, graphExit(7, MAIN, 0, T, T + 700_000n));
  const { profile } = dumped(record(t, pages));
  assert.equal(profile.samples.length, 2002);
  const sum = (stack: string): number =>
    stacks(profile).reduce((all, line) => all + (line.startsWith(`${stack} `) ? Number(line.slice(stack.length + 1)) : 0), 0);
  assert.deepEqual([sum('main;Class.f [express]'), sum('main')], [300, 400]);
});

test('a suspended coroutine leaves the stack, and a call without an end ends with the recording', (t) => {
  const pages = new PageBuilder()
    .event(T, graphEntry(7, F, 0))
    .event(T + 1000n, graphExit(7, F, 0, T, T + 1000n, EXIT_SUSPENDED))
    .event(T + 9000n, graphEntry(7, F, 0, ENTRY_RESUMED))
    .event(T + 10_000n, graphEntry(7, G, 1))
    .event(T + 12_000n, graphExit(7, G, 1, T + 10_000n, T + 12_000n));
  assert.deepEqual(stacks(dumped(record(t, pages)).profile), [
    'Class.f [express] 1',
    '(idle) 8',
    'Class.f [express] 1',
    'Class.f [express];g 2',
    'Class.f [express] 0',
    '(idle) end',
  ]);
});

test('the time of functions that are left out is that of the function that called them', (t) => {
  const { profile } = dumped(record(t, nested()), { isShown: shownBy(['g'], false)! });
  assert.deepEqual(stacks(profile), ['g 3', '(idle) end']);
});

test('one thread is written, the one with the most calls or the one that is chosen, and the warning names the others', (t) => {
  const other = new PageBuilder().event(T + 500n, graphEntry(8, G, 0)).event(T + 9500n, graphExit(8, G, 0, T + 500n, T + 9500n));
  const path = record(t, other, nested());
  const { profile, warnings } = dumped(path);
  assert.equal(stacks(profile)[0], 'main 2');
  assert.deepEqual(warnings, [
    'a .cpuprofile holds one thread: this is node-7 (thread 0 of process 7), with the most calls; --thread chooses another: <...>-8 (thread 1 of process 8)',
  ]);
  const chosen = dumped(path, { isTrack: tracksOf(undefined, '1')! });
  assert.deepEqual(stacks(chosen.profile), ['g 9', '(idle) end']);
  assert.deepEqual(chosen.warnings, []);
});

test('a recording without calls is an empty profile', (t) => {
  const { profile, warnings } = dumped(record(t, new PageBuilder()));
  assert.deepEqual(profile, { nodes: [], startTime: 0, endTime: 0, samples: [], timeDeltas: [] });
  assert.equal(warnings.length, 1);
});
