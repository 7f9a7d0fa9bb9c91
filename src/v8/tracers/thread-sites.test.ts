import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Fgraph } from '../../ftrace/fgraph.js';
import { FUNCTION_KIND } from '../js-text.js';
import type { Trampoline } from './cells.js';
import { createThreadTrace } from './create-thread-trace.js';
import { IGNORED, type Trampolines } from './entry.js';
import { createPatcher } from './testing/patcher.js';
import { ThreadSites } from './thread-sites.js';

const KINDS = Uint8Array.of(FUNCTION_KIND.function, FUNCTION_KIND.async);
const entry = (): number => IGNORED;

/** Sites of a plain function 0 and an async function 1, and what was done to them, in order. */
function createSites() {
  const log: string[] = [];
  const patches = createPatcher();
  const names = new Map<Trampoline, string>();
  const nameOf = (trampoline: Trampoline): string => names.get(trampoline) ?? 'list';
  const needs = {
    clock: () => 0,
    createFindCaller: () => () => 0,
    createFindPrinter: () => () => 0,
    createWalkStack: () => () => 0,
    createStackDepth: () => undefined,
    dump() {},
    tid: 1,
  };
  const cells = {
    arm: (n: number, trampoline: Trampoline) => log.push(`${n} calls ${nameOf(trampoline)}`) > 0,
    disarm: (n: number) => log.push(`${n} is a NOP`) > 0,
    setCall() {},
  };
  const listener = { begin: () => void log.push('begin'), end: () => void log.push('end') };
  const sites = new ThreadSites(createThreadTrace(needs, new Fgraph(needs.clock, () => {})), cells, listener);
  sites.link(0, KINDS);
  return {
    sites,
    /** Trampolines that the log calls by this name. */
    trampolines(name: string): Trampolines {
      const made = { sync: () => 0, coroutine: () => 0 };
      names.set(made.sync, name).set(made.coroutine, `${name} as a coroutine`);
      return made;
    },
    patches,
    /** Has function n call the ops with the ids `calls[n]`. */
    patch(...calls: (readonly number[])[]): void {
      sites.apply(patches([...calls.keys()], (n) => calls[n]!));
      sites.proceed(() => false);
    },
    took: () => log.splice(0),
  };
}

describe('the sites of a thread', () => {
  it('call the trampolines of the one ops that wants them, or the list', () => {
    const { sites, trampolines, patch, took } = createSites();
    sites.serve(0, entry, trampolines('tracer'));
    sites.serve(-1, entry, trampolines('subscriber'));
    patch([-1], [0]);
    assert.deepEqual(took(), ['begin', '0 calls subscriber', '1 calls tracer as a coroutine']);
    patch([0, -1]);
    assert.deepEqual(took(), ['0 calls list']);
    patch([], []);
    assert.deepEqual(took(), ['0 is a NOP', '1 is a NOP', 'end']);
  });

  it('that call an ops alone get its other trampolines', () => {
    const { sites, trampolines, patch, took } = createSites();
    const plain = trampolines('plain');
    sites.serve(0, entry, plain);
    sites.serve(-1, entry, trampolines('subscriber'));
    patch([0], [0, -1]);
    took();
    sites.serve(0, entry, trampolines('full'));
    sites.proceed(() => false);
    assert.deepEqual(took(), ['0 calls full']);
    sites.serve(-1, entry, trampolines('other'));
    sites.proceed(() => false);
    assert.deepEqual(took(), []);
  });

  it('are patched as far as the time goes, in the order of the plans', () => {
    const { sites, trampolines, patches, took } = createSites();
    const KIND = FUNCTION_KIND.function;
    sites.link(0, new Uint8Array(20).fill(KIND));
    sites.serve(0, entry, trampolines('tracer'));
    const all = Array.from({ length: 20 }, (_, n) => n);
    sites.apply(patches(all, () => [0]));
    sites.apply(patches(all, () => []));
    assert.equal(
      sites.proceed(() => true),
      false,
    );
    assert.deepEqual(took().slice(0, 2), ['begin', '0 calls tracer']);
    const looks = [false, true];
    assert.equal(
      sites.proceed(() => looks.shift()!),
      false,
    );
    const then = took();
    assert.deepEqual([then[0], then[4]], ['16 calls tracer', '0 is a NOP']);
    assert.equal(
      sites.proceed(() => false),
      true,
    );
    assert.deepEqual(took().slice(-2), ['19 is a NOP', 'end']);
  });

  it('become NOPs in the midst of a plan, which is forgotten then', () => {
    const { sites, trampolines, patches, took } = createSites();
    sites.link(0, new Uint8Array(20).fill(FUNCTION_KIND.function));
    sites.serve(0, entry, trampolines('tracer'));
    const all = Array.from({ length: 20 }, (_, n) => n);
    sites.apply(patches(all, () => [0]));
    sites.proceed(() => true);
    took();
    sites.disarm();
    assert.deepEqual(took(), [...Array.from({ length: 16 }, (_, n) => `${n} is a NOP`), 'end']);
    assert.equal(
      sites.proceed(() => false),
      true,
    );
    assert.deepEqual(took(), []);
  });

  it('are left alone when their ops is dropped, until they are patched', () => {
    const { sites, trampolines, patch, took } = createSites();
    sites.serve(-1, entry, trampolines('subscriber'));
    patch([-1]);
    took();
    sites.drop(-1);
    assert.deepEqual([took(), sites.isServed(-1)], [[], false]);
    patch([]);
    assert.deepEqual(took(), ['0 is a NOP', 'end']);
  });

  it('of functions with high numbers are NOPs like all others', () => {
    const { sites, trampolines, patches, took } = createSites();
    sites.link(100_000, KINDS);
    sites.serve(0, entry, trampolines('tracer'));
    sites.apply(patches([100_001], () => [0]));
    sites.proceed(() => false);
    assert.deepEqual(took(), ['begin', '100001 calls tracer as a coroutine']);
  });

  it('that change to another list within a plan find it, whatever number it has', () => {
    const { sites, trampolines, patch, took } = createSites();
    for (const id of [0, -1, -2]) sites.serve(id, entry, trampolines(`ops ${id}`));
    patch([0], [-1]);
    patch([-1], [0]);
    patch([-2], [-2]);
    patch([0], [-1]);
    assert.deepEqual(took().slice(-2), ['0 calls ops 0', '1 calls ops -1 as a coroutine']);
    sites.serve(-1, entry, trampolines('other'));
    sites.proceed(() => false);
    assert.deepEqual(took(), ['1 calls other as a coroutine']);
  });

  it('call nothing for an ops that is not served, until it is', () => {
    const { sites, trampolines, patch, took } = createSites();
    patch([-1], [-2]);
    assert.deepEqual(took(), ['begin', '0 calls list', '1 calls list']);
    sites.serve(-1, entry, trampolines('late'));
    sites.proceed(() => false);
    assert.deepEqual(took(), ['0 calls late']);
  });
});
