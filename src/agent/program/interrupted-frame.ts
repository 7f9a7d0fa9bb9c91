import { fileURLToPath } from 'node:url';

/**
 * Whether the code that an inspector's interrupt stopped is fentry's own: a trampoline in the middle of a record, say.
 * What it holds must not be changed under its feet; the control thread interrupts again a moment later.
 * @param ownFolder URL of the folder of fentry's own files, with a slash at its end
 */
export function interruptedOwnCode(ownFolder: string): boolean {
  const { stackTraceLimit, prepareStackTrace } = Error;
  try {
    Error.stackTraceLimit = 12;
    Error.prepareStackTrace = (_error, sites) => sites.map((site) => site.getFileName() ?? '');
    const holder: { stack?: unknown } = {};
    Error.captureStackTrace(holder, interruptedOwnCode);
    return isOwn(holder.stack, ownFolder);
  } catch {
    return false;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    if (prepareStackTrace === undefined) delete (Error as { prepareStackTrace?: unknown }).prepareStackTrace;
    else Error.prepareStackTrace = prepareStackTrace;
  }
}

/** The frames: those of the interrupt, own and then one without a file; what was interrupted; its callers. */
function isOwn(files: unknown, ownFolder: string): boolean {
  if (!Array.isArray(files)) return false;
  const interrupt = files.indexOf('');
  const interrupted = files.slice(interrupt + 1).find((file: string) => !file.startsWith('node:'));
  return interrupted !== undefined && (interrupted.startsWith(fileURLToPath(ownFolder)) || interrupted.startsWith(ownFolder));
}
