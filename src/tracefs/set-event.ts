import type { TraceInstance } from '../core/instance.js';
import { refusal } from '../core/refusal.js';
import type { TraceFile } from './node.js';
import { readOnly } from './text-file.js';
import { wordsFile } from './words-file.js';

/** The answer to a write that asks for an event. */
export const NO_EVENTS = 'There are no events that can be enabled in this version of fentry';

/** A word that turns all events off: `!` and nothing that would leave one out. */
const NOTHING_ON = /^!\*?:\*?$/;

/**
 * set_event: the enabled events. There are none, so every word that names an event is refused; opening it with `>` disables
 * all.
 */
export const setEvent = (instance: TraceInstance): TraceFile =>
  wordsFile({
    mode: 0o640,
    endsWithWrite: true,
    show: () => '',
    edit: () => ({
      word(text) {
        if (NOTHING_ON.test(text)) return;
        throw refusal(instance, { location: 'set_event', message: NO_EVENTS, command: text });
      },
      close() {},
    }),
  });

/** available_events: the events that can be enabled. */
export const availableEvents = (): TraceFile => readOnly(() => '');
