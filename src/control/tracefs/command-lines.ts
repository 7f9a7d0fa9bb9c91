import { TraceError } from '../../base/errno.js';

/** The longest line (WRITE_BUFSIZE less its end). */
const MAX_LINE = 4094;

/**
 * The commands of one write to a file of definitions (trace_parse_run_command): one on each line, also on the last line without
 * a newline; what follows a `#` is a comment, but for a name of JavaScript (`this.#total`), and empty lines are ignored.
 * @throws TraceError EINVAL for a line that is too long, or has a NUL; the lines before it have been returned
 */
export function* commandLines(text: string): Generator<string> {
  for (const line of text.split('\n')) {
    if (line.length > MAX_LINE) throw new TraceError('EINVAL', `a line of more than ${MAX_LINE} characters`);
    if (line.includes('\0')) throw new TraceError('EINVAL', 'a line with a NUL byte');
    // The error log shows a refused command with the blanks at its end.
    const command = line.replace(/(?<!\.|->)#.*$/s, '').trimStart();
    if (command !== '') yield command;
  }
}
