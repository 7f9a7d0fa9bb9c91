/** fentry's own version: that of package.json. */
export const VERSION = '0.1.0';

declare const BUILD: string;
/** The build's name: files of two builds do not fit together. */
export const BUILD_NAME: string = BUILD;
