import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { visible, visibleLine } from '../../base/visible.js';
import { HelpDialog } from '../help-dialog.js';
import { isHelpOpen, message } from '../state.js';
import { HistogramsView } from './histograms-view.js';
import { putBack, showView } from './live-actions.js';
import { LIVE_KEYS } from './live-keys.js';
import { LiveSourceView } from './live-source-view.js';
import { changes, hasEnded, isPaused, isReadOnly, pid, problem, shownProcess, slowMs, view } from './live-state.js';
import { LIVE_VIEWS, type LiveViewId } from './live-views.js';
import { NowView, useSlowTurns } from './now-view.js';
import { ProcessesView } from './processes-view.js';
import { SlowView } from './slow-view.js';
import { TopView } from './top-view.js';
import { TraceView } from './trace-view.js';
import { Refusal, useAction } from './use-action.js';

const SHOWN: Readonly<Record<LiveViewId, ComponentType>> = {
  now: NowView,
  slow: SlowView,
  top: TopView,
  source: LiveSourceView,
  trace: TraceView,
  histograms: HistogramsView,
  processes: ProcessesView,
};

/** The page of running processes: its head with the views, the view that is shown, and what the page has changed. */
export function LiveApp() {
  const View = SHOWN[view.value];
  const one = shownProcess.value;
  const title = one === undefined ? 'fentry' : `${visibleLine(one.program)} (${one.pid})`;
  useSlowTurns(slowMs.value);
  useEffect(() => {
    document.title = `${title} - fentry`;
  }, [title]);
  return (
    <>
      <header>
        <h1>{title}</h1>
        <nav aria-label="Views">
          {LIVE_VIEWS.map(({ id, title: words }, i) => (
            <button key={id} type="button" aria-current={view.value === id ? 'page' : undefined} onClick={() => showView(id)}>
              <kbd>{i + 1}</kbd> {words}
            </button>
          ))}
        </nav>
        <button
          type="button"
          data-action="pause"
          aria-pressed={isPaused.value}
          onClick={() => {
            isPaused.value = !isPaused.value;
            message.value = isPaused.value ? 'the process is left alone' : 'the process is asked again';
          }}
        >
          {isPaused.value ? 'Go on' : 'Pause'} <kbd>p</kbd>
        </button>
        <button type="button" aria-label="Keys" onClick={() => (isHelpOpen.value = true)}>
          ?
        </button>
      </header>
      {problem.value !== '' && <p role="alert">{visible(problem.value)}</p>}
      {isReadOnly.value && <p class="warning">This page only reads: it changes nothing in any process.</p>}
      {hasEnded.value && pid.value !== undefined && (
        <p role="alert">
          Process {pid.value} has ended.{' '}
          <button type="button" onClick={() => showView('processes')}>
            Processes
          </button>
        </p>
      )}
      <main>
        <View />
      </main>
      <HelpDialog keys={LIVE_KEYS} views={LIVE_VIEWS} />
      <footer>
        <Changed />
        <span id="message" role="status">
          {visible(message.value)}
        </span>
      </footer>
    </>
  );
}

/** What pages have changed in the process, and a button that puts it back. */
function Changed() {
  const action = useAction();
  const all = changes.value;
  if (hasEnded.value || (all.length === 0 && action.refusal === '')) return null;
  return (
    <div id="changed">
      <details>
        <summary>
          This page has changed {all.length} {all.length === 1 ? 'thing' : 'things'}, which {all.length === 1 ? 'stays' : 'stay'}{' '}
          when it is closed.
        </summary>
        <ul>
          {all.map(({ what, before, now }) => (
            <li key={what}>
              {visibleLine(what)}: {visibleLine(now) || 'nothing'}, before: {visibleLine(before) || 'nothing'}
            </li>
          ))}
        </ul>
      </details>
      <button type="button" data-action="put-back" onClick={() => action.run(putBack)}>
        {action.isBusy ? 'Putting back ...' : 'Put all back'} <kbd>u</kbd>
      </button>
      <Refusal of={action} />
    </div>
  );
}
