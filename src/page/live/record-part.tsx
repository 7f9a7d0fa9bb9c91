import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { UiRecording } from '../../answers/live/live-answer.js';
import { visible } from '../../base/visible.js';
import { message } from '../state.js';
import { countText } from '../time-text.js';
import { isReadOnly, pid, server } from './live-state.js';
import { Refusal, useAction } from './use-action.js';

/** Seconds of a recording that a person can choose. */
const SECONDS = [1, 3, 10, 30] as const;

/** Records some seconds, which open on the timeline. */
export function RecordPart() {
  const action = useAction();
  const seconds = useSignal(3);
  const isOwnOnly = useSignal(true);
  const made = useSignal<readonly UiRecording[]>([]);
  const last = useRef<HTMLAnchorElement>(null);
  useEffect(() => last.current?.focus(), [made.value]);
  const record = (length: number): Promise<void> =>
    action.run(async () => {
      const words = { pid: pid.value!, seconds: length, isOwnOnly: isOwnOnly.value };
      const one = await server.post<UiRecording>('/live/record', words);
      made.value = [one, ...made.value];
      message.value = `${countText(one.events)} events are recorded: o opens them on the timeline`;
    });
  return (
    <>
      <h2>The last seconds on the timeline</h2>
      <p class="bar">
        <button
          type="button"
          data-action="record"
          disabled={isReadOnly.value || action.isBusy}
          onClick={() => record(seconds.value)}
        >
          {action.isBusy ? 'Recording ...' : 'Record'} <kbd>l</kbd>
        </button>{' '}
        <select
          aria-label="Seconds"
          value={seconds.value}
          onChange={({ currentTarget }) => {
            seconds.value = Number(currentTarget.value);
          }}
        >
          {SECONDS.map((one) => (
            <option key={one} value={one}>
              {one} s
            </option>
          ))}
        </select>{' '}
        <label>
          <input type="checkbox" checked={isOwnOnly.value} onChange={() => (isOwnOnly.value = !isOwnOnly.value)} /> only the
          application’s functions
        </label>{' '}
        <button type="button" data-action="take" disabled={isReadOnly.value || action.isBusy} onClick={() => record(0)}>
          Take what the buffers have <kbd>k</kbd>
        </button>
      </p>
      <p class="faint">
        Records each call with its duration while it runs, unless another tracer is chosen above; then the settings are as before.
      </p>
      <Refusal of={action} />
      {made.value.length > 0 && (
        <ul class="made" aria-live="polite">
          {made.value.map(({ id, events, lost, notes }, i) => (
            <li key={id}>
              <a
                ref={i === 0 ? last : null}
                {...(i === 0 && { 'data-action': 'timeline' })}
                data-row
                href={`/?id=${id}#${server.token}`}
                target="_blank"
                rel="noopener"
              >
                Recording {id} on the timeline
              </a>
              : {countText(events)} events{lost > 0 && `, ${countText(lost)} were lost`}
              {notes.length > 1 && <span class="faint"> ({visible(notes.slice(1).join('; '))})</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
