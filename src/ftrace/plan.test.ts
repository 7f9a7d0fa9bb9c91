import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../base/testing/random.js';
import { EMPTY_HASH, type FunctionHash } from './hash.js';
import { createOps, FTRACE_OPS_FL, type FtraceOps } from './ops.js';
import { afterPatches, planPatches, updateRecords } from './plan.js';
import { DynFtraceRecords, FTRACE_FL } from './records.js';

const SITE = {};
const NO_SITE = { reason: 'asm' };
const NONE = new Uint32Array(0);

const hash = (...functions: number[]): FunctionHash => ({ functions: new Set(functions), words: functions });
const enabled = (id: number, change: Partial<FtraceOps> = {}): FtraceOps => ({
  ...createOps(id, `callback${id}`),
  enabled: true,
  ...change,
});

function linked(...functions: object[]): DynFtraceRecords {
  const records = new DynFtraceRecords();
  records.link(0, functions);
  return records;
}

const plan = (records: DynFtraceRecords, ops: FtraceOps[], applied: Uint32Array = NONE): [number, number][] => {
  const { functions, masks } = planPatches(records, applied, ops);
  return [...functions].map((n, i) => [n, masks[i]!]);
};

test('an empty filter means every function that has a site', () => {
  assert.deepEqual(plan(linked(SITE, NO_SITE, SITE), [enabled(0)]), [
    [0, 1],
    [2, 1],
  ]);
});

test('a filter, and notrace over it', () => {
  const records = linked(SITE, SITE, SITE);
  assert.deepEqual(plan(records, [enabled(0, { filter: hash(1, 2), notrace: hash(2) })]), [[1, 1]]);
});

test('a filter that only waits for a module matches nothing', () => {
  assert.deepEqual(plan(linked(SITE), [enabled(0, { filter: { functions: new Set(), words: ['x:mod:y'] } })]), []);
});

test('several ops: a bit for each, and only what changes is patched', () => {
  const records = linked(SITE, SITE, SITE);
  const tracer = enabled(0);
  const subscriber = enabled(16, { filter: hash(1) });
  const first = planPatches(records, NONE, [tracer]);
  const applied = afterPatches(NONE, first);
  assert.deepEqual(plan(records, [tracer, subscriber], applied), [[1, (1 << 16) | 1]]);
  assert.deepEqual(plan(records, [{ ...tracer, enabled: false }, subscriber], applied), [
    [0, 0],
    [1, 1 << 16],
    [2, 0],
  ]);
  assert.deepEqual(plan(records, [tracer], applied), []);
});

test('a text linked later gets the patches of its own functions only', () => {
  const records = linked(SITE, SITE);
  const applied = afterPatches(NONE, planPatches(records, NONE, [enabled(0)]));
  records.link(2, [SITE, SITE]);
  assert.deepEqual([...planPatches(records, applied, [enabled(0)], 2, 4).functions], [2, 3]);
});

test('records count their ops, and remember that they were touched', () => {
  const records = linked(SITE, NO_SITE, SITE);
  updateRecords(records, [enabled(0), enabled(16, { filter: hash(2), flags: FTRACE_OPS_FL.SAVE_REGS })]);
  assert.equal(records.references(0), 1);
  assert.ok(records.flags(0) & FTRACE_FL.TRAMP);
  assert.equal(records.references(2), 2);
  assert.equal(records.flags(2) & FTRACE_FL.TRAMP, 0);
  assert.ok(records.flags(2) & FTRACE_FL.REGS);
  assert.ok(!records.has(1));
  updateRecords(records, []);
  assert.equal(records.references(2), 0);
  assert.equal(records.flags(2), FTRACE_FL.TOUCHED);
  assert.equal(records.totalInfo(), '2 pages:1 groups: 1\n');
});

test('whatever is registered, filtered, linked or heated up in any order: sites and records are what each function by itself asks for', () => {
  const SEED = Number(process.env['SEED'] ?? 1);
  for (let round = 0; round < 50; round++) {
    const random = seededRandom(SEED * 1000 + round);
    const records = new DynFtraceRecords();
    const sites: ('none' | 'early' | 'plain')[] = [];
    const hot = new Set<number>();
    const ops = Array.from({ length: 6 }, (_, id) => createOps(id, `callback${id}`, random(2)));
    let applied: Uint32Array = NONE;
    const someFunctions = (): FunctionHash => {
      const functions = new Set([...sites.keys()].filter(() => random(3) === 0));
      return random(3) === 0 ? EMPTY_HASH : { functions, words: ['some*'] };
    };
    const apply = (from?: number, to?: number): void => {
      applied = afterPatches(applied, planPatches(records, applied, ops, from, to));
      updateRecords(records, ops, from, to);
    };
    for (let step = 0; step < 60; step++) {
      const one = ops[random(ops.length)]!;
      const from = sites.length;
      const actions = [
        () => {
          const isEarly = random(4) === 0;
          const texts = Array.from({ length: random(8) }, () => (random(4) === 0 ? NO_SITE : SITE));
          records.link(from, texts, isEarly);
          sites.push(...texts.map((text) => (text === NO_SITE ? 'none' : isEarly ? 'early' : 'plain')));
          apply(from, sites.length);
        },
        () => {
          one.enabled = !one.enabled;
        },
        () => {
          one.filter = someFunctions();
        },
        () => {
          one.notrace = someFunctions();
        },
        () => {
          const n = random(from + 1);
          if (sites[n] !== 'early') return;
          records.setOverheated(n, true);
          hot.add(n);
        },
      ];
      actions[random(actions.length)]!();
      apply();
      sites.forEach((site, n) => {
        const wanting = ops.filter(({ enabled, filter, notrace }) => {
          const isNamed = filter.functions.has(n);
          const isMeant = isNamed || (filter === EMPTY_HASH && site === 'plain');
          return enabled && site !== 'none' && !hot.has(n) && isMeant && !notrace.functions.has(n);
        });
        assert.equal(
          applied[n] ?? 0,
          wanting.reduce((mask, { id }) => mask | (1 << id), 0),
          `function ${n}, ${site}`,
        );
        assert.equal(records.references(n), wanting.length);
        assert.equal((records.flags(n) & FTRACE_FL.TRAMP) !== 0, wanting.length === 1);
        assert.equal(
          (records.flags(n) & FTRACE_FL.REGS) !== 0,
          wanting.some(({ flags }) => flags === FTRACE_OPS_FL.SAVE_REGS),
        );
      });
    }
  }
});
