/** The functions that a table or a list of calls shows: words as in `set_ftrace_filter`. */
export const FILTER_OPTION = { type: 'string', multiple: true } as const;

/** The lines of `-f` in the help of a verb. `column`: where the text of an option begins. */
export const filterHelp = (column: number): string =>
  [
    "only functions that match; * ? [] as in a shell, :mod:PACKAGE for the functions of a package, '*:mod:!*'",
    "for the application's own; may be repeated",
  ].reduce((help, line) => `${help}${' '.repeat(column)}${line}\n`, '  --filter FUNC\n');
