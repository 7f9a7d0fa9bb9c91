import { showView } from './live-actions.js';
import { hasEnded, pid } from './live-state.js';

/** What a view says that can show nothing of the process. */
export function NeedsFentry() {
  const words =
    pid.value === undefined
      ? 'No process is chosen.'
      : hasEnded.value
        ? 'The process has ended.'
        : 'The process runs without fentry: the view Now can load it.';
  return (
    <p>
      {words}{' '}
      <button type="button" onClick={() => showView(pid.value === undefined ? 'processes' : 'now')}>
        {pid.value === undefined ? 'Processes' : 'Now'}
      </button>
    </p>
  );
}
