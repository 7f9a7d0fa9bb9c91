/** Whether a file of words for functions, such as set_ftrace_filter, has none: only comments. */
export const isEmptyFilter = (text: string): boolean => text.split('\n').every((line) => line === '' || line.startsWith('#'));
