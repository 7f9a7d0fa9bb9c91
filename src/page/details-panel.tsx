import { visible } from '../base/visible.js';
import { act } from './actions.js';
import { describe, functionOf, rangeOf } from './choices.js';
import { FunctionButtons } from './function-buttons.js';
import { contextGroups, flowOf, groupOf } from './groups.js';
import { type Chosen, chosen, recording } from './state.js';
import { timeText } from './time-text.js';

/** What is known of a thing's request or context, and of the other parts of a coroutine's call. */
function moreOf(one: Chosen): readonly (readonly [string, string])[] {
  const all = recording.value!;
  const more: (readonly [string, string])[] = [];
  const group = groupOf(one);
  if (group !== undefined) more.push([contextGroups.value!.by, visible(group.title)]);
  const parts = one.type === 'call' ? flowOf.value : [];
  const at = parts.findIndex((part) => rangeOf(all, part).from === rangeOf(all, one).from);
  if (parts.length < 2 || at < 0) return more;
  more.push(['part', `${at + 1} of ${parts.length}`]);
  if (at > 0) more.push(['waited before', timeText(rangeOf(all, one).from - rangeOf(all, parts[at - 1]!).to)]);
  return more;
}

/** What is chosen, in words. */
export function DetailsPanel() {
  const all = recording.value!;
  const one = chosen.value;
  if (one === undefined)
    return <aside class="details faint">Nothing is chosen: click at a call, or press an arrow key. ? lists the keys.</aside>;
  const { title, rows } = describe(all, one);
  const more = moreOf(one);
  const func = functionOf(all, one);
  return (
    <aside class="details" aria-label="What is chosen">
      <h2>{title}</h2>
      <dl>
        {[...rows, ...more].map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {func !== undefined && (
        <FunctionButtons func={func}>
          {flowOf.value.length > 1 && (
            <button type="button" onClick={() => act('next-part')}>
              <kbd>r</kbd> Next part
            </button>
          )}
        </FunctionButtons>
      )}
    </aside>
  );
}
