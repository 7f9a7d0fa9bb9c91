// Asks each route of server.mjs again and again: `node load.mjs URL [SECONDS]`.
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds between two requests of a route. */
const PAUSES = {
  '/': 25,
  '/search?word=tea': 60,
  '/thumbnail': 50,
  '/login': 300,
  '/signup': 400,
  '/rates': 150,
  '/orders?id=7': 250,
};

export async function runLoad({ url, seconds }) {
  const end = performance.now() + seconds * 1000;
  const ask = async ([path, pause]) => {
    while (performance.now() < end) {
      await fetch(url + path).then(
        (response) => response.arrayBuffer(),
        () => {},
      );
      await wait(pause);
    }
  };
  await Promise.all(Object.entries(PAUSES).map(ask));
}

if (process.argv[1] === import.meta.filename) {
  const [, , url = 'http://127.0.0.1:3000', seconds = '3'] = process.argv;
  await runLoad({ url, seconds: Number(seconds) });
}
