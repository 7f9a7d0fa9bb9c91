/** What sources of JavaScript, and of machine code, end with. */
const ENDS = /\.(?:[cm]?[jt]sx?|c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|inc|inl|m|mm|rs|go|S|s)$/;

/** Whether a word names a source: files that are named without a slash are known by what they end with. */
export const isSourceName = (word: string): boolean => word.includes('/') || ENDS.test(word);

/** Whether a path is that of a source; with another end it may be that of an object. */
export const isSourcePath = (path: string): boolean => ENDS.test(path);
