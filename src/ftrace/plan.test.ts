import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../base/testing/random.js';
import { EMPTY_HASH, type FunctionHash } from './hash.js';
import { createOps, FTRACE_OPS_FL, type FtraceOps } from './ops.js';
import { OpsLists } from './ops-lists.js';
import { afterPatches, planPatches, updateRecords as updateWanted, wantedBy } from './plan.js';
import { DynFtraceRecords, FTRACE_FL } from './records.js';

const SITE = {};
const NO_SITE = { reason: 'asm' };

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

/** What a thread knows, and what its sites call. */
class Thread {
  readonly lists = new OpsLists();
  readonly known: (readonly number[])[] = [[]];
  applied: Uint32Array = new Uint32Array(0);

  /** Has the sites call what the ops want; returns the ops of each function that was patched. */
  apply(records: DynFtraceRecords, ops: readonly FtraceOps[], from = 0, to = records.count): [number, readonly number[]][] {
    const plan = planPatches(records, this.applied, wantedBy(records, ops, to - from), this.lists, from, to);
    for (const { list, ops: ids } of this.lists.takeAdded()) this.known[list] = ids;
    this.applied = afterPatches(this.applied, plan, this.lists);
    return [...plan.functions].map((n) => [n, this.calls(n)]);
  }

  /** The ops that a function's site calls. */
  calls(n: number): readonly number[] {
    return this.known[this.applied[n] ?? 0]!;
  }
}

const plan = (records: DynFtraceRecords, ops: readonly FtraceOps[]): [number, readonly number[]][] =>
  new Thread().apply(records, ops);

const updateRecords = (records: DynFtraceRecords, ops: readonly FtraceOps[], from = 0, to = records.count): void =>
  updateWanted(records, wantedBy(records, ops, to - from), from, to);

test('an empty filter means every function that has a site', () => {
  assert.deepEqual(plan(linked(SITE, NO_SITE, SITE), [enabled(0)]), [
    [0, [0]],
    [2, [0]],
  ]);
});

test('a filter, and notrace over it', () => {
  const records = linked(SITE, SITE, SITE);
  assert.deepEqual(plan(records, [enabled(0, { filter: hash(1, 2), notrace: hash(2) })]), [[1, [0]]]);
});

test('a filter that only waits for a module matches nothing', () => {
  assert.deepEqual(plan(linked(SITE), [enabled(0, { filter: { functions: new Set(), words: ['x:mod:y'] } })]), []);
});

test('several ops: a list of them, and only what changes is patched', () => {
  const records = linked(SITE, SITE, SITE);
  const tracer = enabled(0);
  const subscriber = enabled(-1, { filter: hash(1) });
  const thread = new Thread();
  thread.apply(records, [tracer]);
  assert.deepEqual(thread.apply(records, [tracer, subscriber]), [[1, [0, -1]]]);
  assert.deepEqual(thread.apply(records, [tracer, subscriber]), []);
  assert.deepEqual(thread.apply(records, [{ ...tracer, enabled: false }, subscriber]), [
    [0, []],
    [1, [-1]],
    [2, []],
  ]);
});

test('several ops of one id, as probes are, stand in a list once', () => {
  const records = linked(SITE, SITE);
  const probes = [enabled(1, { filter: hash(0) }), enabled(1, { filter: hash(0, 1) })];
  assert.deepEqual(plan(records, probes), [
    [0, [1]],
    [1, [1]],
  ]);
  updateRecords(records, probes);
  assert.deepEqual([records.references(0), records.references(1)], [2, 1]);
});

test('a thousand small filters are planned like a few', () => {
  const records = linked(...Array.from({ length: 1000 }, () => SITE));
  const tracer = enabled(0, { notrace: hash(7) });
  const ops = [tracer, ...Array.from({ length: 1000 }, (_, n) => enabled(-1 - n, { filter: hash(n, (n * 7) % 1000) }))];
  const thread = new Thread();
  thread.apply(records, ops);
  for (let n = 0; n < 1000; n++) {
    assert.deepEqual(
      thread.calls(n),
      ops
        .filter(({ filter, notrace }) => (filter === EMPTY_HASH || filter.functions.has(n)) && !notrace.functions.has(n))
        .map(({ id }) => id),
    );
  }
});

test('a text linked later gets the patches of its own functions only', () => {
  const records = linked(SITE, SITE);
  const thread = new Thread();
  thread.apply(records, [enabled(0)]);
  records.link(2, [SITE, SITE]);
  assert.deepEqual(
    thread.apply(records, [enabled(0)], 2, 4).map(([n]) => n),
    [2, 3],
  );
});

test('records count their ops, and remember that they were touched', () => {
  const records = linked(SITE, NO_SITE, SITE);
  updateRecords(records, [enabled(0), enabled(-1, { filter: hash(2), flags: FTRACE_OPS_FL.SAVE_REGS })]);
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
    const isCrowd = random(4) === 0;
    const ops = Array.from({ length: isCrowd ? 80 : 6 }, (_, id) => createOps(id, `callback${id}`, random(2)));
    for (const one of ops) one.enabled = isCrowd && random(2) === 0;
    const thread = new Thread();
    const someFunctions = (): FunctionHash => {
      const functions = new Set([...sites.keys()].filter(() => random(3) === 0));
      return random(3) === 0 ? EMPTY_HASH : { functions, words: ['some*'] };
    };
    const apply = (from?: number, to?: number): void => {
      thread.apply(records, ops, from, to);
      updateRecords(records, ops, from, to);
    };
    for (let step = 0; step < 60; step++) {
      const one = ops[random(ops.length)]!;
      const from = sites.length;
      const actions = [
        () => {
          const isLoadedBefore = random(4) === 0;
          const texts = Array.from({ length: random(8) }, () => (random(4) === 0 ? NO_SITE : SITE));
          records.link(from, texts, isLoadedBefore);
          sites.push(...texts.map((text) => (text === NO_SITE ? 'none' : isLoadedBefore ? 'early' : 'plain')));
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
      const lists = new Set(['']);
      sites.forEach((site, n) => {
        const wanting = ops.filter(({ enabled, filter, notrace }) => {
          const isNamed = filter.functions.has(n);
          const isMeant = isNamed || (filter === EMPTY_HASH && site === 'plain');
          return enabled && site !== 'none' && !hot.has(n) && isMeant && !notrace.functions.has(n);
        });
        const ids = wanting.map(({ id }) => id);
        assert.deepEqual(thread.calls(n), ids, `function ${n}, ${site}`);
        lists.add(ids.join());
        assert.equal(records.references(n), wanting.length);
        assert.equal((records.flags(n) & FTRACE_FL.TRAMP) !== 0, wanting.length === 1);
        assert.equal(
          (records.flags(n) & FTRACE_FL.REGS) !== 0,
          wanting.some(({ flags }) => flags === FTRACE_OPS_FL.SAVE_REGS),
        );
      });
      assert.equal(thread.lists.size, lists.size - 1, 'a list that nothing calls is let go');
    }
  }
});
