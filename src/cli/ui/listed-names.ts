/** A line of set_ftrace_filter that is a command: `handle:traceoff:unlimited`. */
const COMMAND = /:\w+:(?:unlimited|count=\d+)$/;

/** The functions that a filter lists, without comments and commands. */
export const listedNames = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !COMMAND.test(line));
