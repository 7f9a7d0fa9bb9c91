import { TraceError } from '../base/errno.js';
import type { EventFile } from '../core/event-file.js';
import type { TraceInstance } from '../core/instance.js';
import { refusal } from '../core/refusal.js';
import type { TraceFile } from './node.js';
import { textFile } from './text-file.js';

const NO_TRIGGERS = 'There are no triggers in this version of fentry';
/** Without a trigger, the file lists the possible ones. */
const AVAILABLE_TRIGGERS = '# Available triggers:\n#\n';

/** Removes a trigger; one of a known kind need not exist. */
const REMOVAL = /^!(traceon|traceoff|snapshot|stacktrace|enable_event|disable_event|enable_hist|disable_hist|hist)\b/;

/** events/SYSTEM/EVENT/trigger. */
export const triggerFile = (instance: TraceInstance, file: () => EventFile): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => AVAILABLE_TRIGGERS,
    store(text) {
      const command = text.trim();
      if (REMOVAL.test(command)) return;
      if (command === '') throw new TraceError('EINVAL', 'no trigger');
      const { system, name } = file().event;
      throw refusal(instance, { location: `trigger:${system}:${name}`, message: NO_TRIGGERS, command });
    },
  });
