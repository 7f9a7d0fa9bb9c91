import type { ComponentType } from 'preact';
import { visible } from '../base/visible.js';
import { act, showView, switchSide } from './actions.js';
import { ChangedFlameView } from './changed-flame-view.js';
import { ChangesView } from './changes-view.js';
import { FlameView } from './flame-view.js';
import { HelpDialog } from './help-dialog.js';
import { KEYS } from './keys.js';
import { RequestsView } from './requests-view.js';
import { SandwichView } from './sandwich-view.js';
import { FoundList, SearchBox } from './search-box.js';
import { SourceView } from './source-view.js';
import { both, dataSource, isLoading, message, problem, recording, revision, selectedRange, side, view } from './state.js';
import { TableView } from './table-view.js';
import { countText, timeText } from './time-text.js';
import { TimelineView } from './timeline-view.js';
import { VIEWS, VIEWS_OF_TWO, type ViewId } from './views.js';

const SHOWN: Readonly<Record<ViewId, ComponentType>> = {
  timeline: TimelineView,
  flame: FlameView,
  sandwich: SandwichView,
  table: TableView,
  source: SourceView,
  requests: RequestsView,
  changes: ChangesView,
  'changed-flame': ChangedFlameView,
};

/** The page: its head with the views and the search, the view that is shown, and the line of messages. */
export function App() {
  const all = recording.value;
  const View = SHOWN[view.value];
  revision.value;
  return (
    <>
      <header>
        <h1>{visible(all?.start.name ?? 'fentry')}</h1>
        {both.value !== undefined && (
          <button type="button" title="Shows the other one of the two recordings" onClick={switchSide}>
            <kbd>b</kbd> shown: {side.value}
          </button>
        )}
        <nav aria-label="Views">
          {VIEWS.map(({ id, title }, i) =>
            VIEWS_OF_TWO.has(id) && both.value === undefined ? null : (
              <button key={id} type="button" aria-current={view.value === id ? 'page' : undefined} onClick={() => showView(id)}>
                <kbd>{i + 1}</kbd> {title}
              </button>
            ),
          )}
        </nav>
        <SearchBox />
        {dataSource.value?.perfetto !== undefined && (
          <button type="button" onClick={() => act('perfetto')}>
            Open in Perfetto
          </button>
        )}
        <button type="button" aria-label="Keys" onClick={() => act('help')}>
          ?
        </button>
      </header>
      {problem.value !== '' && <p role="alert">{visible(problem.value)}</p>}
      {(all?.end?.warnings ?? []).map((warning) => (
        <p key={warning} class="warning">
          {visible(warning)}
        </p>
      ))}
      {selectedRange.value !== undefined && (
        <p class="selection">
          Only {timeText(selectedRange.value.to - selectedRange.value.from)} are counted.{' '}
          <button type="button" onClick={() => (selectedRange.value = undefined)}>
            Count all
          </button>
        </p>
      )}
      <FoundList />
      <main>{all === undefined ? <p>Loading the recording ...</p> : <View />}</main>
      <HelpDialog keys={KEYS} views={VIEWS}>
        <p>
          The pointer: a drag moves the timeline, on the ruler or with Shift it selects a part of the time; the wheel scrolls,
          with Ctrl it zooms, with Shift it moves.
        </p>
      </HelpDialog>
      <footer>
        <span id="loaded" data-done={isLoading.value ? undefined : ''}>
          {isLoading.value ? 'Loading: ' : ''}
          {countText(all?.callCount ?? 0)} calls
        </span>{' '}
        <span id="message" role="status">
          {visible(message.value)}
        </span>
      </footer>
    </>
  );
}
