import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { defineEvent, type EventDefinition } from '../../../src/events/define.js';
import { address, dynamic, one } from '../../../src/events/fields.js';
import type { HistTrigger } from '../../../src/events/hist/hist-trigger.js';
import { HistNames, HistTriggers } from '../../../src/events/hist/hist-triggers.js';
import { interpretUpdate } from '../../../src/events/hist/interpret-update.js';
import { printHist } from '../../../src/events/hist/print-hist.js';
import { type HistNeeds, updaterHelpers } from '../../../src/events/hist/updater-helpers.js';
import { updaterSource } from '../../../src/events/hist/updater-source.js';
import { SyntheticEvents } from '../../../src/events/synthetic/synthetic-events.js';

const folder = new URL('../../../../test/parity/hist/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const { masks, paths } = JSON.parse(read('hits.json')) as { readonly masks: number[]; readonly paths: string[] };

type Slots = Readonly<Record<string, unknown>>;
/** Updates a trigger's table with an event. */
type Update = (slots: Slots) => void;
/** Makes what updates a trigger's table. */
type MakeUpdate = (triggers: HistTriggers, trigger: HistTrigger, effects: HistNeeds) => Update;

const STACK = [-0x7f000000, 0x1234];

/** By interpretation, and by generated code: both must leave the same table. */
const WAYS: Readonly<Record<string, MakeUpdate>> = {
  interpreted(triggers, trigger, effects) {
    const plan = triggers.plan(trigger);
    const helpers = updaterHelpers(plan, effects);
    const context = { timestamp: 5000, isNanoseconds: true, cpu: 1, comm: 'bash', stack: STACK };
    return (slots) => interpretUpdate(plan, helpers, { ...context, slots });
  },
  generated(triggers, trigger, effects) {
    const plan = triggers.plan(trigger);
    const slot = (name: string): string => `slots[${JSON.stringify(name)}]`;
    const sources = { slot, timestamp: '5000', isNanoseconds: 'true', cpu: '1', comm: '"bash"', stack: 'stack' };
    const source = updaterSource(plan, sources, 'h1');
    return new Function('h1', 'stack', `return (slots) => { ${source} }`)(updaterHelpers(plan, effects), STACK) as Update;
  },
};

const probe = { __probe_ip: address };
const UM = defineEvent('kprobes', 'um', {
  fields: { ...probe, mask: one('u32'), low: one('s8'), wide: one('u64'), name: dynamic('char') },
  print: '',
});
const UZ = defineEvent('kprobes', 'uz', { fields: { ...probe, ret: one('u32') }, print: '' });
const OP = defineEvent('kprobes', 'op', { fields: { ...probe, path: dynamic('char') }, print: '' });

const tooHard = (): never => assert.fail('not asked for');

/** An instance with the probes of the script that asked the kernel. */
class Instance {
  readonly #events: Record<string, EventDefinition> = { um: UM, uz: UZ, op: OP };
  readonly #synthetic = new SyntheticEvents({
    register: (definition) => {
      this.#events[definition.name] = definition;
      return { ...definition, id: 1 };
    },
    unregister: tooHard,
    logError: tooHard,
  });
  readonly #triggers: HistTriggers;
  readonly #updates = new Map<string, Update[]>();

  constructor(way: MakeUpdate) {
    this.#synthetic.write('sy s64 dd; u32 rr; u32 mm');
    this.#synthetic.write('st s64 dd; char text[]');
    this.#triggers = new HistTriggers(
      {
        findEvent: (_system, name) => this.#events[name],
        findSynthetic: (name) => this.#synthetic.find(name),
        checkFilter() {},
        setClock() {},
        prepareSnapshot() {},
        logError() {},
        attach: (trigger) => {
          const { name } = trigger.event;
          const update = way(this.#triggers, trigger, this.#effects);
          // The one filter of a number in tables.txt; that of paths is true.
          const filtered: Update = (slots) =>
            trigger.filter === 'mask > 20' && !(Number(slots.mask) > 20) ? undefined : update(slots);
          this.#updates.set(name, [...(this.#updates.get(name) ?? []), filtered]);
        },
        detach: tooHard,
      },
      new HistNames(),
    );
  }

  readonly #effects: HistNeeds = {
    trace: (event) => {
      const names = Object.keys(this.#events[event]!.fields);
      return (...values) => this.hit(event, Object.fromEntries(values.map((value, i) => [names[i]!, value])));
    },
    snapshot() {},
  };

  write(event: string, command: string): void {
    const [, text] = /^hist:(.*)$/.exec(command)!;
    try {
      this.#triggers.write(this.#events[event]!, text!);
    } catch {
      // The kernel refused it too, and shows no table.
    }
  }

  hit(event: string, slots: Slots): void {
    for (const update of this.#updates.get(event) ?? []) update(slots);
  }

  /** What bash's calls of umask do. */
  doMasks(): void {
    let before = 0o22;
    for (const mask of masks) {
      this.hit('um', { common_pid: 7, mask, low: (mask << 24) >> 24, wide: mask, name: 'text' });
      this.hit('uz', { common_pid: 7, ret: before });
      before = mask & 0o777;
    }
  }

  doOpens(): void {
    for (const path of paths) this.hit('op', { common_pid: 7, path: `/tmp/h/${path}` });
  }

  table(event: string): string {
    const names = { symbol: (at: bigint) => `0x${at.toString(16)}`, syscall: (number: bigint) => SYSCALLS[Number(number)] };
    return printHist(this.#triggers.of(this.#events[event]!), { ...names, symbolOffset: names.symbol });
  }
}

const syscalls = read('table-answers.txt').matchAll(/mask: (\w+) +\[ *(\d+)\]/g);
const SYSCALLS = Object.fromEntries(Array.from(syscalls, ([, name, number]) => [number!, name!]));

function answer(line: string, way: MakeUpdate): string {
  const instance = new Instance(way);
  const [, kind = '', spec = ''] = /^(\w+) (.*)$/.exec(line)!;
  if (kind === 'sy') {
    const synthetic = spec.includes('(st,') ? 'st' : 'sy';
    for (const [i, command] of spec.split(' | ').entries()) instance.write(['um', 'uz', synthetic][i]!, command);
    instance.doMasks();
    return instance.table(synthetic);
  }
  instance.write(kind, kind === 'op' ? `${spec} if path ~ "/tmp/h/*"` : spec);
  if (kind === 'op') instance.doOpens();
  else instance.doMasks();
  return instance.table(kind);
}

for (const block of read('table-answers.txt').split(/^>>> /m).slice(1)) {
  const line = block.slice(0, block.indexOf('\n'));
  const expected = block.slice(line.length + 1);
  for (const [name, way] of Object.entries(WAYS)) test(`${line} (${name})`, () => assert.equal(answer(line, way), expected));
}
