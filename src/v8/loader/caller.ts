import { captureStackTrace, getOwnPropertyDescriptor, includes } from '../realm/primordials.js';

/**
 * Whether the function that called `callee` is in one of Node's own files, whose name begins with `file` (`node:internal/...`).
 * Costs some microseconds.
 */
export const calledFrom = (file: string, callee: (...args: never[]) => unknown): boolean => {
  const limit = getOwnPropertyDescriptor(Error, 'stackTraceLimit');
  if (!limit?.writable) return false;
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = 1;
    captureStackTrace(holder, callee);
    return typeof holder.stack === 'string' && includes(holder.stack, file);
  } finally {
    Error.stackTraceLimit = limit.value;
  }
};
