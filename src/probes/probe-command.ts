import type { Errno } from '../base/errno.js';
import { bytesBefore } from '../base/utf8.js';
import { errnoOf, PROBE_ERRORS, ProbeError, type ProbeErrorName, type ProbeLocation } from './probe-errors.js';

/** How a refusal differs from what its name says. */
export interface RefusedAs {
  readonly errno?: Errno;
  /** What error_log says behind the kernel's text. */
  readonly detail?: string;
  /** A mistake that error_log shows before it. */
  readonly earlier?: ProbeErrorName;
}

/** The words of a line. */
export const wordsOf = (line: string): string[] => line.split(/\s+/).filter((word) => word !== '');

/** A line that defines a probe, and where in it something is refused (__trace_probe_log_err in kernel/trace/trace_probe.c). */
export class ProbeCommand {
  readonly location: ProbeLocation;
  readonly words: readonly string[];

  constructor(location: ProbeLocation, words: readonly string[]) {
    this.location = location;
    this.words = words;
  }

  withWords(words: readonly string[]): ProbeCommand {
    return new ProbeCommand(this.location, words);
  }

  /**
   * Refuses the line.
   * @param index the word that the caret stands under; one past the last: behind the line
   * @param offset characters of the word before the caret
   */
  refuse(
    error: ProbeErrorName,
    index: number,
    offset = 0,
    { errno = errnoOf(error), detail = '', earlier }: RefusedAs = {},
  ): never {
    const { words } = this;
    const before = words.slice(0, index).reduce((bytes, word) => bytes + Buffer.byteLength(word) + 1, 0);
    const text = `${PROBE_ERRORS[error]}${detail === '' ? '' : `: ${detail}`}`;
    const command = words.join(' ');
    const position = before + (index < words.length ? bytesBefore(words[index]!, offset) : 0);
    const thrown = new ProbeError(errno, this.location, text, command, position);
    if (earlier !== undefined) {
      thrown.earlier = new ProbeError(errno, this.location, PROBE_ERRORS[earlier], command, position);
    }
    throw thrown;
  }
}
