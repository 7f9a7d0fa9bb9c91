import type { DataSource } from './data-source.js';
import { message, side } from './state.js';

const SITE = 'https://ui.perfetto.dev';
/** How often the site is asked whether it is ready, ms, and how often at most. */
const EVERY = 100;
const MOST = 600;

/**
 * Opens ui.perfetto.dev and sends it the recording, as its documentation says: a PING until it answers PONG, then the file.
 * Nothing leaves the machine before a person asks for it.
 */
export async function sendToPerfetto(source: DataSource | undefined, title: string): Promise<void> {
  if (source?.perfetto === undefined) {
    message.value = 'this page has no file for Perfetto: fentry dump --chrome writes one';
    return;
  }
  // At once, while it is still the answer to a key or a click: a later window would be blocked.
  const site = window.open(SITE);
  if (site === null) {
    message.value = 'the browser did not let the page open a window';
    return;
  }
  message.value = 'the recording is made ready for Perfetto';
  try {
    const [buffer] = await Promise.all([source.perfetto(side.value), answered(site)]);
    site.postMessage({ perfetto: { buffer, title } }, SITE);
    message.value = 'Perfetto has the recording';
  } catch (error) {
    message.value = (error as Error).message;
  }
}

/** Resolves when the site is ready. */
function answered(site: Window): Promise<void> {
  return new Promise((resolve, reject) => {
    let count = 0;
    const timer = setInterval(() => {
      if (++count > MOST) done(new Error('ui.perfetto.dev does not answer'));
      else site.postMessage('PING', SITE);
    }, EVERY);
    const listen = ({ source, origin, data }: MessageEvent): void => {
      if (source === site && origin === SITE && data === 'PONG') done();
    };
    function done(error?: Error): void {
      clearInterval(timer);
      window.removeEventListener('message', listen);
      if (error === undefined) resolve();
      else reject(error);
    }
    window.addEventListener('message', listen);
  });
}
