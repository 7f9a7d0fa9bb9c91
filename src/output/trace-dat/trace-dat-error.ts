/** A trace.dat that cannot be read or written: the file, where in it, and what was wrong. */
export class TraceDatError extends Error {
  readonly file: string;
  /** Offset from the file's start, if the error has one. */
  readonly offset: number | undefined;

  constructor(file: string, offset: number | undefined, problem: string, options?: ErrorOptions) {
    super(`${file}: ${offset === undefined ? '' : `at byte ${offset}: `}${problem}`, options);
    this.name = 'TraceDatError';
    this.file = file;
    this.offset = offset;
  }

  /** Turns an error of the filesystem into one that says what was being done to which file. */
  static from(error: unknown, file: string, doing: string): Error {
    if (error instanceof TraceDatError) return error;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) return error as Error;
    const words = ERRNO_WORDS[code] ?? (error as Error).message;
    const path = (error as NodeJS.ErrnoException).path;
    const about = path === undefined || path.startsWith(file) ? '' : ` (${path})`;
    return new TraceDatError(file, undefined, `${doing}: ${words}${about}`, { cause: error });
  }
}

const ERRNO_WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device; the recorded pages are kept',
  EDQUOT: 'the disk quota is exceeded; the recorded pages are kept',
  EFBIG: 'the file would be too large; the recorded pages are kept',
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
  EROFS: 'the filesystem is read-only',
};
