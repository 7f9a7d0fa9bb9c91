import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { SymbolPlaces } from '../answers/symbol-places.js';
import { TraceError } from '../base/errno.js';
import { openTraceDat } from '../output/trace-dat/open.js';

/** A longer text is no source that a person reads. */
const MOST_BYTES = 8 << 20;

/** A source for the page. */
export interface ListedSource {
  readonly text: string;
  /** Whether the file was changed after it was recorded: lines may not be those that ran. */
  readonly isNewer: boolean;
}

/** The sources that a recording lists as places of functions: no other file is read. */
export class ListedSources {
  readonly #files: ReadonlySet<string>;
  readonly #recorded: number;

  /** @param recorded when the recording was finished, in ms */
  constructor(files: Iterable<string>, recorded: number) {
    this.#files = new Set(files);
    this.#recorded = recorded;
  }

  /** The sources of a recording. Throws TraceDatError for a file that is none. */
  static of(recording: string): ListedSources {
    const dat = openTraceDat(recording);
    try {
      return new ListedSources(new SymbolPlaces(dat.places()).files(), statSync(recording).mtimeMs);
    } finally {
      dat.file.close();
    }
  }

  /**
   * The text of a listed file. TraceError EACCES for any other; ENOENT if it is not there; EINVAL if it is no ordinary file, or
   * too long, or no text.
   */
  read(file: string): ListedSource {
    if (!file.startsWith('/') || !this.#files.has(file)) throw new TraceError('EACCES', 'the recording does not list this file');
    const fd = openListed(file);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) throw new TraceError('EINVAL', `${file} is no ordinary file`);
      if (stat.size > MOST_BYTES) throw new TraceError('EINVAL', `${file} is longer than ${MOST_BYTES >> 20} MB`);
      const bytes = readFileSync(fd);
      if (bytes.includes(0)) throw new TraceError('EINVAL', `${file} is no text`);
      return { text: bytes.toString('utf8'), isNewer: stat.mtimeMs > this.#recorded };
    } finally {
      closeSync(fd);
    }
  }
}

/** Opens a file without waiting, in case it is a pipe. */
function openListed(file: string): number {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    throw new TraceError('ENOENT', `${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}
