import type { ServerResponse } from 'node:http';

/** A page that takes less fast gets no more, but is told how much it did not get. */
const MOST_WAITING = 1 << 20;

/** Begins an answer that goes on. */
export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  response.flushHeaders();
}

/** A signal that aborts when the page no longer listens. */
export function closedSignal(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
}

/** What writes lines to a page: lines that it has no room for are left out, which a line says. */
export function boundedLines(response: ServerResponse): (lines: string) => void {
  let left = 0;
  return (lines) => {
    if (response.writableLength > MOST_WAITING) {
      left += lines.split('\n').length - 1;
      return;
    }
    if (left > 0) response.write(`# ${left} lines are left out: they came faster than the page reads\n`);
    left = 0;
    response.write(lines);
  };
}
