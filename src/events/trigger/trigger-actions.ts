import { AtomicsLoad as load } from '../../base/primordials.js';
import type { TriggerConfig } from '../event-config.js';
import { isNotZero, isSoftDisabled, setSoftDisabled, takeOne } from '../event-words.js';
import { setPaused } from '../hist/hist-trigger.js';
import { TRIGGERS, type TriggerCommand } from './trigger-commands.js';

/** What triggers do in the thread in which the event happens, to the instance that they belong to. Must not throw. */
export interface TriggerNeeds {
  tracingIsOn(): boolean;
  setTracing(on: boolean): void;
  snapshot(): void;
  /** Writes the stack of the event. */
  stack(): void;
}

export type Fire = () => void;

/** An action, and whether it would change anything: if not, its count stays. */
interface Action {
  readonly run: Fire;
  readonly isDone?: () => boolean;
}

type Actions = {
  readonly [A in TriggerConfig['action']]: (
    trigger: Extract<TriggerConfig, { action: A }>,
    effects: TriggerNeeds,
    words: Int32Array,
  ) => Action;
};

const switching = (on: boolean) => (_trigger: TriggerConfig, effects: TriggerNeeds) => ({
  isDone: () => effects.tracingIsOn() === on,
  run: () => effects.setTracing(on),
});

type EventSwitch = Extract<TriggerConfig, { word: unknown }>;

const eventSwitching =
  (on: boolean) =>
  ({ word }: EventSwitch, _effects: TriggerNeeds, words: Int32Array): Action => ({
    isDone: () => isSoftDisabled(words, word) !== on,
    run: () => setSoftDisabled(words, word, !on),
  });

type HistSwitch = Extract<TriggerConfig, { states: unknown }>;

const pausing =
  (isPaused: boolean) =>
  ({ states }: HistSwitch): Action => {
    const words = states.map((state) => new Int32Array(state));
    return {
      isDone: () => words.every((word) => (load(word, 0) === 1) === isPaused),
      run: () => {
        for (let i = 0; i < states.length; i++) setPaused(states[i]!, isPaused);
      },
    };
  };

/** The actions of kernel/trace/trace_events_trigger.c. */
const ACTIONS: Actions = {
  traceon: switching(true),
  traceoff: switching(false),
  snapshot: (_trigger, { snapshot }) => ({ run: snapshot }),
  stacktrace: (_trigger, { stack }) => ({ run: stack }),
  enable_event: eventSwitching(true),
  disable_event: eventSwitching(false),
  enable_hist: pausing(false),
  disable_hist: pausing(true),
};

/** What runs when a trigger fires. */
export function triggerAction(trigger: TriggerConfig, effects: TriggerNeeds, words: Int32Array): Fire {
  const { run, isDone } = ACTIONS[trigger.action](trigger as never, effects, words);
  const { count } = trigger;
  return () => {
    if (isDone?.() === true) return;
    if (count === undefined || takeOne(words, count, isNotZero)) run();
  };
}

/** Acts behind the record (EVENT_CMD_FL_POST_TRIGGER). */
export const isPostTrigger = ({ action }: TriggerConfig): boolean => {
  const command: TriggerCommand = TRIGGERS[action];
  return command.afterRecord === true;
};
