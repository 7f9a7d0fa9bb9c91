import { render } from 'preact';
import type { RecordingSide } from '../timeline/compare-timelines.js';
import { ColumnsReader } from '../timeline/read-columns.js';
import type { TimelineRecording } from '../timeline/timeline-recording.js';
import { act, showView } from './actions.js';
import { App } from './app.js';
import { findDataSource } from './data-source.js';
import { actionOf } from './keys.js';
import { startLive } from './live/live-main.js';
import { both, dataSource, isLoading, problem, recording, revision, view } from './state.js';
import { typedKey } from './typed-key.js';

/** What has come is drawn after so many ms while more is on its way, and each time later: it takes longer each time. */
const FIRST_SHOWN = 200;
const LATER = 1.6;
/** The path of the page of running processes, as `fentry ui` serves it. */
const LIVE_PATH = '/live';

async function load(): Promise<void> {
  const source = findDataSource(document, location);
  dataSource.value = source;
  let shown = performance.now();
  let wait = FIRST_SHOWN;
  try {
    const after = await read('after', show);
    if (after.start.before !== undefined) {
      // What is whole stays shown while the other one comes.
      both.value = { before: await read('before', () => {}), after };
      showView('changes');
    }
  } catch (error) {
    problem.value = (error as Error).message;
  }
  isLoading.value = false;
  revision.value++;

  async function read(of: RecordingSide, came: (recording: TimelineRecording) => void): Promise<TimelineRecording> {
    const reader = new ColumnsReader();
    try {
      await source.load((bytes) => {
        reader.push(bytes);
        if (performance.now() - shown < wait) return;
        came(reader.recording);
        shown = performance.now();
        wait *= LATER;
      }, of);
      return reader.finish();
    } finally {
      came(reader.recording);
    }
  }
}

function show(one: TimelineRecording): void {
  recording.value = one;
  revision.value++;
  const { name, before } = one.start;
  if (name !== '') document.title = `${before === undefined ? name : `${before}, ${name}`} - fentry`;
}

/** Starts the page of a recording. */
function startRecording(page: Element): void {
  document.addEventListener('keydown', (event) => {
    const key = typedKey(event);
    // A button that has the focus is pressed.
    if (key === undefined || (key === 'Enter' && (event.target as HTMLElement).matches('button, a'))) return;
    const action = actionOf(key, view.value);
    if (action === undefined) return;
    event.preventDefault();
    act(action);
  });
  render(<App />, page);
  void load();
}

const page = document.querySelector('#page')!;
page.replaceChildren();
if (location.pathname === LIVE_PATH) startLive(page);
else startRecording(page);
