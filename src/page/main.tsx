import { render } from 'preact';
import type { RecordingSide } from '../timeline/compare-timelines.js';
import { ColumnsReader } from '../timeline/read-columns.js';
import type { TimelineRecording } from '../timeline/timeline-recording.js';
import { act, showView } from './actions.js';
import { App } from './app.js';
import { findDataSource } from './data-source.js';
import { actionOf } from './keys.js';
import { both, dataSource, isHelpOpen, isLoading, problem, recording, revision, view } from './state.js';

/** What has come is drawn after so many ms while more is on its way, and each time later: it takes longer each time. */
const FIRST_SHOWN = 200;
const LATER = 1.6;
/** Elements that have keys of their own. */
const TYPING = 'input, select, textarea';

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

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (ctrlKey || metaKey || altKey) return;
  const element = target as HTMLElement;
  const isTyping = element.matches(TYPING) && (element as HTMLInputElement).type !== 'checkbox';
  if (isTyping && !(key === 'Escape' && element.id === 'search')) return;
  if (isHelpOpen.value && key !== '?' && key !== 'Escape') return;
  // A button that has the focus is pressed.
  if (key === 'Enter' && element.matches('button, a')) return;
  const action = actionOf(key, view.value);
  if (action === undefined) return;
  event.preventDefault();
  act(action);
});

const page = document.querySelector('#page')!;
page.replaceChildren();
render(<App />, page);
void load();
