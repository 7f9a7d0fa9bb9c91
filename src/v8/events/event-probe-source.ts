import { SafeMap } from '../../base/safe-map.js';
import type { TraceEvent } from '../../events/define.js';
import type { EventConfig, HistConfig, TriggerConfig } from '../../events/event-config.js';
import { filterSource } from '../../events/filter/filter-source.js';
import type { Operand } from '../../events/filter/operand.js';
import type { FilterProgram } from '../../events/filter/predicate.js';
import { type HistNeeds, updaterHelpers } from '../../events/hist/updater-helpers.js';
import { updaterSource } from '../../events/hist/updater-source.js';
import { type Fire, isPostTrigger } from '../../events/trigger/trigger-actions.js';
import type { TraceOutput } from '../tracers/thread-trace.js';
import { fitValues } from './fit-values.js';
import { slotNames } from './record-slots.js';
import { writeRecordSource } from './record-source.js';

/** An event in an instance, on a thread. */
export interface ThreadEventFile {
  readonly config: EventConfig;
  readonly output: TraceOutput;
  /** What runs when each of its triggers fires. */
  readonly actions: readonly Fire[];
  /** The effects of its hist triggers. */
  readonly effects: HistNeeds;
  /** Writes the addresses of the stack, the innermost first. */
  readonly stack: () => readonly number[];
}

/** How an event gets its values from what the tracepoint is called with. */
export interface ProbeArguments {
  readonly names: readonly string[];
  /** One for each field; absent where the arguments are the fields' values. */
  readonly getters?: readonly ((...args: never[]) => unknown)[];
  /** Places of the fields whose value is a function of which the record has the address. */
  readonly functions?: readonly number[];
  /**
   * In place of getters: expressions over a0, a1, ..., which neither run the program's code nor throw. `constant` names a value
   * in them.
   */
  readonly sources?: (constant: (value: unknown) => string) => readonly string[];
}

/** Variables of generated code, with their values. */
class Constants {
  readonly values: Record<string, unknown> = {};
  readonly #names = new SafeMap<unknown, string>();

  name(value: unknown): string {
    let name = this.#names.get(value);
    if (name === undefined) {
      name = `c${this.#names.size}`;
      this.#names.set(value, name);
      this.values[name] = value;
    }
    return name;
  }
}

/** The text of a function and the variables that it uses. */
export interface GeneratedProbe {
  readonly text: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** How deep events may cause each other by the actions of their hist triggers. */
const MAX_NESTED = 8;

const ALONE = { begin: ['  if (env.isInside) return;', '  env.isInside = true;'], end: '    env.isInside = false;' } as const;
const NESTED = { begin: [`  if (env.nested === ${MAX_NESTED}) return;`, '  env.nested++;'], end: '    env.nested--;' } as const;

const indent = (text: string): string => text.replace(/^/gm, '  ');

/** The source of an event's probe: it takes the tracepoint's arguments, and does what each instance wants of the event. */
export class EventProbeSource {
  readonly #event: TraceEvent;
  readonly #slots: readonly string[];
  readonly #constants = new Constants();

  constructor(event: TraceEvent) {
    this.#event = event;
    this.#slots = [...slotNames(event).values()];
  }

  /**
   * The probe for these instances. It never throws, and does nothing while it is called from itself.
   * @param isNested it is called while another event is recorded: by a hist trigger's action
   * @param causes called behind all else with the values of the fields
   */
  generate(
    args: ProbeArguments,
    files: readonly ThreadEventFile[],
    isNested = false,
    causes: readonly ((...values: unknown[]) => void)[] = [],
  ): GeneratedProbe {
    const { system, name } = this.#event;
    // Not the tracepoint's names, which could be those of the variables here.
    const names = args.names.map((_name, i) => `a${i}`);
    const body = [
      `let ${this.#slots.join(', ') || 'nothing'};`,
      ...this.#values({ ...args, names }),
      fitValues(this.#event),
      'let now = env.eventTime.at;',
      ...files.map((file) => this.#file(file)),
      ...causes.map((cause) => `${this.#constants.name(cause)}(${this.#slots.join(', ')});`),
    ].join('\n');
    const text = [
      `return function ${system}_${name}(${names.join(', ')}) {`,
      ...(isNested ? NESTED.begin : ALONE.begin),
      '  try {',
      indent(indent(body)),
      '  } catch {',
      '    env.torn();',
      '  } finally {',
      isNested ? NESTED.end : ALONE.end,
      '  }',
      '}',
    ].join('\n');
    return { text, values: this.#constants.values };
  }

  #values({ names, getters, functions = [], sources }: ProbeArguments): readonly string[] {
    const slots = this.#slots;
    const constants = this.#constants;
    if (sources !== undefined) {
      const expressions = sources((value) => constants.name(value));
      return slots.map((slot, i) => `${slot} = ${expressions[i]};`);
    }
    const addresses = functions.map((slot) => `${slots[slot]} = env.addressOf(${slots[slot]});`);
    if (getters === undefined) return [...slots.map((slot, i) => `${slot} = ${names[i] ?? 'undefined'};`), ...addresses];
    const list = names.join(', ');
    const gets = slots.map((slot, i) => `  ${slot} = ${constants.name(getters[i])}(${list});`);
    return [
      // What the getters call is not traced, and an exception in one costs only its own field.
      'const busy = env.enterCallback();',
      'try {',
      ...gets,
      '} catch {',
      slots.length === 0 ? '' : `  [${slots.join(', ')}] = env.oneByOne(${constants.name(getters)}, [${list}]);`,
      '} finally {',
      '  env.leaveCallback(busy);',
      '}',
      ...addresses,
    ];
  }

  #file({ config, output, actions, effects, stack }: ThreadEventFile): string {
    const { word, isRecorded, filter, triggers, hists, isIgnored = false, ignoredBit = 0 } = config;
    const isSoft = `(words[${word}] & 1) !== 0`;
    const isConditional = hists.length > 0 || triggers.some((trigger) => trigger.filter !== undefined || isPostTrigger(trigger));
    const fire = (wanted: (trigger: TriggerConfig) => boolean): string[] =>
      triggers.flatMap((trigger, i) => (wanted(trigger) ? [this.#fire(trigger, actions[i]!)] : []));
    // As in the kernel: without conditions, triggers come before the look at the task; with them, the record is made for it
    // first.
    if (isConditional && isIgnored) return '';
    // A record is made before the triggers of its event run, but kept only if they leave the event on.
    const isOwnSwitch = (trigger: TriggerConfig): boolean => 'word' in trigger && trigger.word === word;
    const before = fire((trigger) => !isPostTrigger(trigger) && (!isConditional || isOwnSwitch(trigger)));
    const behind = fire((trigger) => !isPostTrigger(trigger) && isConditional && !isOwnSwitch(trigger));
    const post = fire(isPostTrigger);
    const lines = [...before];
    const isTraced = ignoredBit === 0 ? '' : `if ((trace.ignored & ${ignoredBit}) === 0) `;
    if (isRecorded && !isIgnored) lines.push((isConditional ? '' : isTraced) + this.#record(isSoft, filter, output));
    lines.push(...behind, ...hists.map((hist) => this.#hist(hist, output, effects, stack)), ...post);
    return `${isConditional ? isTraced : ''}{\n${indent(lines.join('\n'))}\n}`;
  }

  #record(isSoft: string, filter: FilterProgram | undefined, output: TraceOutput): string {
    const passes = filter === undefined ? '' : ` && ${this.#filter(filter)}`;
    const out = this.#constants.name(output);
    return [
      `if (!(${isSoft})${passes}) {`,
      '  if (now === 0) now = env.clock();',
      `  const writer = ${out}.writer;`,
      indent(writeRecordSource(this.#event)),
      `  if (${out}.config.eventStacks) trace.stackTrace(${out});`,
      '}',
    ].join('\n');
  }

  #fire({ filter }: TriggerConfig, action: Fire): string {
    const call = `${this.#constants.name(action)}();`;
    return filter === undefined ? call : `if (${this.#filter(filter)}) ${call}`;
  }

  #hist({ id, plan, filter }: HistConfig, output: TraceOutput, effects: HistNeeds, stack: () => readonly number[]): string {
    const name = `h${id}`;
    const [reading, time] = [`reading${id}`, `time${id}`];
    this.#constants.values[name] = updaterHelpers(plan, effects);
    const update = updaterSource(
      plan,
      {
        slot: (field) => this.#local(field),
        timestamp: time,
        isNanoseconds: `${reading} === undefined`,
        cpu: 'env.cpu',
        comm: 'env.comm()',
        stack: `${this.#constants.name(stack)}()`,
      },
      name,
    );
    const passes = filter === undefined ? '' : `if (${this.#filter(filter)}) `;
    const lines = ['if (now === 0) now = env.clock();'];
    if (update.includes(time)) {
      lines.push(`const ${reading} = ${this.#constants.name(output)}.writer.reading;`);
      lines.push(`const ${time} = ${reading} === undefined ? now : ${reading}(now);`);
    }
    return `${passes}{\n${indent([...lines, update].join('\n'))}\n}`;
  }

  /** The variable of a field, or of one that every event has. */
  #local(name: string): string {
    const slot = slotNames(this.#event).get(name);
    if (slot !== undefined) return slot;
    return HEADER[name as keyof typeof HEADER](this.#event);
  }

  #filter(program: FilterProgram): string {
    return filterSource(program, {
      operand: (operand) => this.#operand(operand),
      constant: (value) => this.#constants.name(value),
    });
  }

  #operand(operand: Operand): string {
    if (operand.from === 'field') return this.#slots[operand.slot]!;
    if (operand.from !== 'header') return operand.from === 'cpu' ? 'env.cpu' : 'env.comm()';
    return HEADER[operand.name](this.#event);
  }
}

const HEADER: Readonly<Record<Extract<Operand, { from: 'header' }>['name'], (event: TraceEvent) => string>> = {
  common_type: ({ id }) => String(id),
  common_flags: () => '0',
  common_preempt_count: () => '0',
  common_pid: () => 'trace.pid',
};
