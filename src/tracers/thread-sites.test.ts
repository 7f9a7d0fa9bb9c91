import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FUNCTION_KINDS } from '../arch/arch.js';
import { Fgraph } from '../ftrace/fgraph.js';
import type { Trampoline } from './cells.js';
import { createContext } from './create-context.js';
import { IGNORED, type Trampolines } from './entry.js';
import { ThreadSites } from './thread-sites.js';

const KINDS = Uint8Array.of(FUNCTION_KINDS.indexOf('function'), FUNCTION_KINDS.indexOf('async'));
const entry = (): number => IGNORED;

/** Sites of a plain function 0 and an async function 1, and what was done to them, in order. */
function createSites() {
  const log: string[] = [];
  const names = new Map<Trampoline, string>();
  const nameOf = (trampoline: Trampoline): string => names.get(trampoline) ?? 'list';
  const host = {
    clock: () => 0,
    createFindCaller: () => () => 0,
    createWalkStack: () => () => 0,
    createStackDepth: () => undefined,
    dump() {},
    tid: 1,
  };
  const cells = {
    arm: (n: number, trampoline: Trampoline) => log.push(`${n} calls ${nameOf(trampoline)}`) > 0,
    disarm: (n: number) => log.push(`${n} is a NOP`) > 0,
    setService() {},
  };
  const listener = { begin: () => void log.push('begin'), end: () => void log.push('end') };
  const sites = new ThreadSites(createContext(host, new Fgraph(host.clock, () => {})), cells, listener);
  sites.link(0, KINDS);
  return {
    sites,
    /** Trampolines that the log calls by this name. */
    trampolines(name: string): Trampolines {
      const made = { sync: () => 0, coroutine: () => 0 };
      names.set(made.sync, name).set(made.coroutine, `${name} as a coroutine`);
      return made;
    },
    patch: (...masks: number[]) => sites.apply({ functions: Uint32Array.from(masks.keys()), masks: Uint32Array.from(masks) }),
    took: () => log.splice(0),
  };
}

describe('the sites of a thread', () => {
  it('call the trampolines of the one ops that wants them, or the list', () => {
    const { sites, trampolines, patch, took } = createSites();
    sites.serve(0, entry, trampolines('tracer'));
    sites.serve(16, entry, trampolines('subscriber'));
    patch(1 << 16, 1);
    assert.deepEqual(took(), ['begin', '0 calls subscriber', '1 calls tracer as a coroutine']);
    patch(1 | (1 << 16));
    assert.deepEqual(took(), ['0 calls list']);
    patch(0, 0);
    assert.deepEqual(took(), ['0 is a NOP', '1 is a NOP', 'end']);
  });

  it('that call an ops alone get its other trampolines at once', () => {
    const { sites, trampolines, patch, took } = createSites();
    const plain = trampolines('plain');
    sites.serve(0, entry, plain);
    sites.serve(16, entry, trampolines('subscriber'));
    patch(1, 1 | (1 << 16));
    took();
    sites.serve(0, entry, trampolines('full'));
    assert.deepEqual(took(), ['0 calls full']);
    sites.serve(16, entry, trampolines('other'));
    assert.deepEqual(took(), []);
  });

  it('are left alone when their ops is dropped, until they are patched', () => {
    const { sites, trampolines, patch, took } = createSites();
    sites.serve(16, entry, trampolines('subscriber'));
    patch(1 << 16);
    took();
    sites.drop(16);
    assert.deepEqual([took(), sites.isServed(16)], [[], false]);
    patch(0);
    assert.deepEqual(took(), ['0 is a NOP', 'end']);
  });

  it('of functions with high numbers are NOPs like all others', () => {
    const { sites, trampolines, took } = createSites();
    sites.link(100_000, KINDS);
    sites.serve(0, entry, trampolines('tracer'));
    sites.apply({ functions: Uint32Array.of(100_001), masks: Uint32Array.of(1) });
    assert.deepEqual(took(), ['begin', '100001 calls tracer as a coroutine']);
  });
});
