import { describe, functionOf } from './choices.js';
import { FunctionButtons } from './function-buttons.js';
import { chosen, recording } from './state.js';

/** What is chosen, in words. */
export function DetailsPanel() {
  const all = recording.value!;
  const one = chosen.value;
  if (one === undefined)
    return <aside class="details faint">Nothing is chosen: click at a call, or press an arrow key. ? lists the keys.</aside>;
  const { title, rows } = describe(all, one);
  const func = functionOf(all, one);
  return (
    <aside class="details" aria-label="What is chosen">
      <h2>{title}</h2>
      <dl>
        {rows.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {func !== undefined && <FunctionButtons func={func} />}
    </aside>
  );
}
