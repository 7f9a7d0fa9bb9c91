import { FIELD, type HistAction, has } from './hist-data.js';
import { listedField } from './hist-field.js';
import type { HistTrigger } from './hist-trigger.js';

const actionText = ({ handler, word, matchSystem, matchEvent, variable, synthName, params }: HistAction): string => {
  const inside = synthName === undefined ? params : [synthName, ...params];
  const of = handler === 'onmatch' ? `${matchSystem}.${matchEvent}` : variable;
  return `:${handler}(${of}).${word}(${inside.join(',')})`;
};

/** The line of a hist trigger in its event's `trigger` file, without the line feed (event_hist_trigger_print). */
export function listedTrigger(trigger: HistTrigger): string {
  const { data, name, filter, isPaused } = trigger;
  const { keys, values, sortKeys, attributes, usesTimestamps, actions } = data;
  const shownValues = values.filter((field) => !has(field, FIELD.VAR));
  const variables = values.filter((field) => has(field, FIELD.VAR));
  const nameOfValue = (field: (typeof values)[number], index: number): string => (index === 0 ? 'hitcount' : listedField(field));
  const keyText = keys.map((key) => (has(key, FIELD.STACKTRACE) ? 'stacktrace' : listedField(key)));
  const valueText = shownValues.map(nameOfValue).slice(attributes.noHitcount ? 1 : 0);
  const sortable = [...shownValues, ...keys];
  const sortText = sortKeys.map(
    ({ index, descending }) => nameOfValue(sortable[index]!, index) + (descending ? '.descending' : ''),
  );
  return [
    'hist:',
    name === undefined ? '' : `${name}:`,
    `keys=${keyText.join(',')}`,
    `:vals=${valueText.join(',')}`,
    variables.length === 0 ? '' : `:${variables.map(listedField).join(',')}`,
    `:sort=${sortText.join(',')}`,
    `:size=${2 ** attributes.mapBits}`,
    usesTimestamps ? `:clock=${attributes.clock}` : '',
    attributes.noHitcount ? ':nohitcount' : '',
    ...actions.map(actionText),
    filter === undefined ? '' : ` if ${filter}`,
    isPaused ? ' [paused]' : ' [active]',
  ].join('');
}
