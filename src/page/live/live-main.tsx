import { render } from 'preact';
import { keyOf } from '../keys.js';
import { typedKey } from '../typed-key.js';
import { actLive, begin } from './live-actions.js';
import { LiveApp } from './live-app.js';
import { LIVE_KEYS } from './live-keys.js';
import { view } from './live-state.js';

/** Starts the page of running processes. */
export function startLive(page: Element): void {
  document.addEventListener('keydown', (event) => {
    const element = event.target as HTMLElement;
    if (event.key === 'Escape') element.blur();
    const key = typedKey(event);
    if (key === undefined || (key === 'Enter' && element.matches('button, a, summary'))) return;
    const found = keyOf(LIVE_KEYS, key, view.value);
    if (found === undefined) return;
    event.preventDefault();
    actLive(found.action);
  });
  render(<LiveApp />, page);
  void begin();
}
