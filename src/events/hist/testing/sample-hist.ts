import { defineEvent, type EventDefinition } from '../../define.js';
import { address, array, dynamic, one } from '../../fields.js';
import { type RegisteredSynthetic, SyntheticEvents } from '../../synthetic/synthetic-events.js';
import type { HistTrigger } from '../hist-trigger.js';
import { type HistHost, HistNames, HistTriggers } from '../hist-triggers.js';
import { type HitEvent, interpretUpdate } from '../interpret-update.js';
import { printHist } from '../print-hist.js';
import { type HistNeeds, updaterHelpers } from '../updater-helpers.js';
import { updaterSource } from '../updater-source.js';

/** An event with a field of each kind. */
export const SAMPLE = defineEvent('sample', 'ev', {
  fields: {
    small: one('s8'),
    number: one('int'),
    plain: one('u32'),
    wide: one('u64'),
    signed: one('s64'),
    where: address,
    comm: array('char', 16),
    text: dynamic('char'),
  },
  print: '',
});

export type Update = (hit: HitEvent) => void;

export const interpreted = (triggers: HistTriggers, trigger: HistTrigger, effects: HistNeeds): Update => {
  const plan = triggers.plan(trigger);
  const helpers = updaterHelpers(plan, effects);
  return (hit) => interpretUpdate(plan, helpers, hit);
};

export const generated = (triggers: HistTriggers, trigger: HistTrigger, effects: HistNeeds): Update => {
  const plan = triggers.plan(trigger);
  const sources = {
    slot: (name: string) => `hit.slots.${name}`,
    timestamp: 'hit.timestamp',
    isNanoseconds: 'hit.isNanoseconds',
    cpu: 'hit.cpu',
    comm: 'hit.comm',
    stack: 'hit.stack',
  };
  const source = updaterSource(plan, sources, 'h1');
  return new Function('h1', `return (hit) => { ${source} }`)(updaterHelpers(plan, effects)) as Update;
};

export const NO_EFFECTS: HistNeeds = { trace: () => () => {}, snapshot() {} };

/** Hist triggers of SAMPLE and of synthetic events, in an instance that notes what it is asked. */
export class SampleInstance {
  readonly errors: string[] = [];
  readonly events: Record<string, EventDefinition> = { 'sample:ev': SAMPLE };
  readonly synthetic = new SyntheticEvents({
    register: (definition) => {
      const event = { ...definition, id: 1 };
      this.events[`${definition.system}:${definition.name}`] = event;
      return event;
    },
    unregister: ({ system, name }) => delete this.events[`${system}:${name}`],
    logError: (_location, message) => this.errors.push(message),
  });
  readonly triggers: HistTriggers;

  constructor(host: Partial<HistHost> = {}) {
    this.triggers = new HistTriggers(
      {
        findEvent: (system, name) => this.events[`${system}:${name}`],
        findSynthetic: (name): RegisteredSynthetic | undefined => this.synthetic.find(name),
        checkFilter() {},
        setClock() {},
        prepareSnapshot() {},
        logError: (_location, message) => this.errors.push(message),
        attach() {},
        detach() {},
        ...host,
      },
      new HistNames(),
    );
  }

  /** Adds a trigger to SAMPLE. */
  add(text: string): HistTrigger {
    this.triggers.write(SAMPLE, text);
    return this.triggers.of(SAMPLE).at(-1)!;
  }

  /** The `hist` file of an event. */
  text(event: EventDefinition = SAMPLE): string {
    const hex = (address: bigint): string => address.toString(16);
    return printHist(this.triggers.of(event), {
      symbol: (address) => `at_${hex(address)}`,
      symbolOffset: (address) => `at_${hex(address)}+0x1/0x2`,
      syscall: () => undefined,
    });
  }

  /** The histogram's entries alone. */
  entries(): string[] {
    return this.text()
      .split('\n')
      .filter((line) => /^[{\t} ] ?/.test(line) && !/^ {4}(Hits|Entries|Dropped)/.test(line));
  }
}

/** An event that is hit. */
export const hit = (slots: Readonly<Record<string, unknown>> = {}, rest: Partial<HitEvent> = {}): HitEvent => ({
  slots: { small: 1, number: 1, plain: 1, wide: 1, signed: 1, where: 1, comm: 'comm', text: 'text', common_pid: 7, ...slots },
  timestamp: 1_000_000,
  isNanoseconds: true,
  cpu: 0,
  comm: 'node',
  stack: [],
  ...rest,
});
