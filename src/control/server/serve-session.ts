import type { Duplex } from 'node:stream';
import { nextTurn } from '../../base/next-turn.js';
import { encodeFrame, FrameReader } from '../../base/session-frames.js';
import { SESSION_UPGRADE } from '../../base/session-protocol.js';
import type { TraceDirectory } from '../tracefs/node.js';
import type { Room } from './open-file.js';
import { type Send, Session } from './session.js';

/** Answers that wait for the client to read them; beyond this its requests and reads wait, too. */
const MOST_UNREAD_BYTES = 8 << 20;

/**
 * Serves file sessions on connections that were upgraded to them. A connection that sends anything but requests is closed.
 * @returns a listener for the HTTP server's `upgrade`
 */
export function sessionUpgrades(root: TraceDirectory): (upgrade: string | undefined, stream: Duplex, head: Uint8Array) => void {
  return (upgrade, stream, head) => {
    stream.on('error', () => stream.destroy());
    if (upgrade !== SESSION_UPGRADE) {
      stream.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
      return;
    }
    stream.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${SESSION_UPGRADE}\r\n\r\n`);
    serve(root, stream, head);
  };
}

const isFull = (stream: Duplex): boolean => !stream.destroyed && stream.writableLength > MOST_UNREAD_BYTES;

/** Thousands of reads may be requested at once, each of a megabyte. */
function roomIn(stream: Duplex): Room {
  let drained: Promise<unknown> | undefined;
  const whenDrained = (): Promise<unknown> => {
    drained ??= new Promise<void>((resolve) => {
      stream.once('drain', resolve);
      stream.once('close', resolve);
    }).then(() => {
      drained = undefined;
    });
    return drained;
  };
  return async () => {
    await nextTurn();
    while (isFull(stream)) {
      await whenDrained();
      await nextTurn();
    }
  };
}

function serve(root: TraceDirectory, stream: Duplex, head: Uint8Array): void {
  const reader = new FrameReader();
  const send: Send = (header, body) => {
    if (stream.destroyed) return;
    stream.cork();
    for (const piece of encodeFrame(header, body)) stream.write(piece);
    stream.uncork();
    if (isFull(stream)) stream.pause();
  };
  const session = new Session(root, send, roomIn(stream));
  const receive = (piece: Uint8Array): void => {
    try {
      for (const frame of reader.push(piece)) session.receive(frame);
    } catch {
      stream.destroy();
    }
  };
  stream.on('drain', () => stream.resume());
  stream.on('data', receive);
  stream.on('end', () => stream.end());
  stream.on('close', () => void session.close());
  if (head.length > 0) receive(head);
}
