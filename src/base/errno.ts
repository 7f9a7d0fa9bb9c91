/** The errnos of tracefs, by name, with the messages of strerror(3). */
export const ERRNO = {
  EPERM: [1, 'Operation not permitted'],
  ENOENT: [2, 'No such file or directory'],
  ESRCH: [3, 'No such process'],
  EINTR: [4, 'Interrupted system call'],
  EIO: [5, 'Input/output error'],
  E2BIG: [7, 'Argument list too long'],
  ENOEXEC: [8, 'Exec format error'],
  EBADF: [9, 'Bad file descriptor'],
  EAGAIN: [11, 'Resource temporarily unavailable'],
  ENOMEM: [12, 'Cannot allocate memory'],
  EACCES: [13, 'Permission denied'],
  EBUSY: [16, 'Device or resource busy'],
  EEXIST: [17, 'File exists'],
  EXDEV: [18, 'Invalid cross-device link'],
  ENODEV: [19, 'No such device'],
  ENOTDIR: [20, 'Not a directory'],
  EISDIR: [21, 'Is a directory'],
  EINVAL: [22, 'Invalid argument'],
  ENOSPC: [28, 'No space left on device'],
  EDOM: [33, 'Numerical argument out of domain'],
  ERANGE: [34, 'Numerical result out of range'],
  ENAMETOOLONG: [36, 'File name too long'],
  ENOSYS: [38, 'Function not implemented'],
  EOVERFLOW: [75, 'Value too large for defined data type'],
  EILSEQ: [84, 'Invalid or incomplete multibyte or wide character'],
  EOPNOTSUPP: [95, 'Operation not supported'],
  EADDRNOTAVAIL: [99, 'Cannot assign requested address'],
  ETIMEDOUT: [110, 'Connection timed out'],
} as const;
/** The name of an errno. */
export type Errno = keyof typeof ERRNO;

/** A refused operation: the kernel's errno, and a message. */
export class TraceError extends Error {
  readonly errno: Errno;
  constructor(errno: Errno, message: string = ERRNO[errno][1]) {
    super(message);
    this.name = 'TraceError';
    this.errno = errno;
  }
}

/** Any thrown value as a TraceError; a bug in fentry is EIO. */
export function asTraceError(error: unknown): TraceError {
  if (error instanceof TraceError) return error;
  return new TraceError('EIO', `internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}
