import { TraceError } from '../../base/errno.js';
import { parseOptionWord } from '../../ftrace/option-word.js';
import { type OptionRow, TRACE_OPTIONS, traceOption, traceOptionsFile } from '../../ftrace/options.js';
import { tracerNamed } from '../../ftrace/tracers/tracers.js';
import type { TraceDirectory, TraceFile } from '../tracefs/node.js';
import { parseSwitch } from '../tracefs/numbers.js';
import { directory } from '../tracefs/path.js';
import { textFile } from '../tracefs/text-file.js';
import { userText } from '../tracefs/user-text.js';
import type { TraceInstance } from './instance.js';

/** A text with so many characters is not a word (the size of tracing_trace_options_write's buffer). */
const WORD_SIZE = 64;

/** trace_options: the names, `no` before those that are off; writing one sets or clears it. */
export const traceOptions = (instance: TraceInstance): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => traceOptionsFile(instance.options, instance.tracer),
    async store(text) {
      const word = userText(text).trim();
      const parsed = text.length < WORD_SIZE ? parseOptionWord(word) : undefined;
      const option = parsed && traceOption(parsed.name);
      const isListed = option?.owner === 'core' || option?.owner === instance.tracer;
      if (parsed === undefined || !isListed) throw new TraceError('EINVAL', `no option ${word}`);
      // A tracer is asked even if the value does not change.
      if (option.owner !== 'core' && option.refused !== undefined) throw new TraceError('EINVAL', `${word}: ${option.refused}`);
      await instance.setOption(parsed.name, parsed.on, word);
    },
  });

/** options/NAME: 0 or 1. */
const optionFile = (instance: TraceInstance, name: (typeof TRACE_OPTIONS)[number]['name']): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => `${instance.options[name] ? 1 : 0}\n`,
    store: (text) => instance.setOption(name, parseSwitch(text)),
  });

/** The options that an instance has files for: those of every tracer that it may have. */
function optionsOf({ isTop }: TraceInstance): readonly OptionRow[] {
  if (isTop) return TRACE_OPTIONS;
  const isOfInstance = ({ owner, topOnly }: OptionRow): boolean =>
    owner === 'core' ? topOnly !== true : tracerNamed(owner).allowsInstances === true;
  return TRACE_OPTIONS.filter(isOfInstance);
}

/** options/: a file an option, those of all tracers. */
export const optionsDirectory = (instance: TraceInstance): TraceDirectory =>
  directory(
    Object.fromEntries(
      optionsOf(instance)
        .map(({ name }) => name)
        .sort()
        .map((name) => [name, optionFile(instance, name)]),
    ),
  );
