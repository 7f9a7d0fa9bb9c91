/** How many errors are kept (TRACING_LOG_ERRS_MAX). */
const MAX_ERRORS = 8;
const COMMAND = '  Command: ';

interface LoggedError {
  readonly ts: number;
  readonly location: string;
  readonly message: string;
  readonly command: string;
  readonly position: number;
}

const time = (ns: number): string => {
  const micros = Math.floor(ns / 1000);
  return `${String(Math.floor(micros / 1e6)).padStart(5)}.${String(micros % 1e6).padStart(6, '0')}`;
};

/** The last refusals, each with a caret under what was refused (tracing_log_err in kernel/trace/trace.c). */
export class ErrorLog {
  #errors: LoggedError[] = [];

  /**
   * Notes a refusal.
   * @param ts trace clock, nanoseconds
   * @param location the parser that refused, such as `set_ftrace_filter`
   * @param position bytes of the command before the offending word
   */
  log(ts: number, location: string, message: string, command: string, position: number): void {
    this.#errors = [...this.#errors, { ts, location, message, command, position }].slice(-MAX_ERRORS);
  }

  clear(): void {
    this.#errors = [];
  }

  /** The text of `error_log`. */
  text(): string {
    return this.#errors
      .map(({ ts, location, message, command, position }) => {
        const caret = ' '.repeat(COMMAND.length + position);
        return `[${time(ts)}] ${location}: error: ${message}\n${COMMAND}${command}\n${caret}^\n`;
      })
      .join('');
  }
}
