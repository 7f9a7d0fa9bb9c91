import { connect, createServer } from 'node:net';
import { pipeline, Transform } from 'node:stream';

/**
 * A socket at `path` whose requests reach the one at `target` when `settled()` has resolved, which is called for each piece of
 * them: so what was to happen before a request has happened. Answers pass at once. Resolves to its server.
 */
export const orderedSocket = async (path, target, settled) => {
  const server = createServer((client) => {
    const process = connect(target);
    const inOrder = new Transform({
      transform(piece, _encoding, pass) {
        settled().then(() => pass(null, piece), pass);
      },
    });
    // Either end may be closed at any time, as the real socket's.
    pipeline(client, inOrder, process, client, () => {});
  });
  await new Promise((resolve) => server.listen(path, resolve));
  return server;
};
