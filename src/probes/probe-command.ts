import type { Errno } from '../base/errno.js';
import { errnoOf, PROBE_ERRORS, ProbeError, type ProbeErrorName, type ProbeLocation } from './probe-errors.js';

/** How a refusal differs from what its name says. */
export interface RefusedAs {
  readonly errno?: Errno;
  /** What error_log says behind the kernel's text. */
  readonly detail?: string;
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
  refuse(error: ProbeErrorName, index: number, offset = 0, { errno = errnoOf(error), detail = '' }: RefusedAs = {}): never {
    const { words } = this;
    const before = words.slice(0, index).reduce((length, word) => length + word.length + 1, 0);
    const text = `${PROBE_ERRORS[error]}${detail === '' ? '' : `: ${detail}`}`;
    const position = before + (index < words.length ? offset : 0);
    throw new ProbeError(errno, this.location, text, words.join(' '), position);
  }
}
