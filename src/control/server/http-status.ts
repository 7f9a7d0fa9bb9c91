import type { ServerResponse } from 'node:http';
import { asTraceError, ERRNO, type Errno } from '../../base/errno.js';
import { HEADER } from '../../base/socket-protocol.js';

/** The HTTP status that comes nearest to an errno; the errno itself is in the header and the body. */
const STATUS: Readonly<Partial<Record<Errno, number>>> = {
  EPERM: 403,
  EACCES: 403,
  ENOENT: 404,
  ENOTDIR: 404,
  EISDIR: 405,
  EINVAL: 400,
  ERANGE: 400,
  EBUSY: 409,
  EEXIST: 409,
  ENODEV: 410,
  EAGAIN: 503,
  ENOMEM: 507,
  ENOSPC: 507,
  ETIMEDOUT: 504,
  ENOSYS: 501,
  EOPNOTSUPP: 501,
};

/** Answers with an error: status, errno header, and `{"errno", "message"}`. What was begun as an answer is cut off. */
export function respondError(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const error = asTraceError(thrown);
  const message = error.message || ERRNO[error.errno][1];
  const body = `${JSON.stringify({ errno: error.errno, message })}\n`;
  response.writeHead(STATUS[error.errno] ?? 500, {
    [HEADER.errno]: error.errno,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
