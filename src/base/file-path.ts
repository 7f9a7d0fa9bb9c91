import { fileURLToPath } from 'node:url';

const SPECIAL: readonly string[] = ['%', '?', '#'];

/** The path of a file: URL. Node's function is only asked where the two differ: it takes part of a program's start. */
export const filePath = (url: string): string =>
  url.startsWith('file:///') && !SPECIAL.some((character) => url.includes(character))
    ? url.slice('file://'.length)
    : fileURLToPath(url);

/** The URL of the folder that a file is in, with a slash at its end. */
export const folderUrl = (url: string): string => url.slice(0, url.lastIndexOf('/') + 1);
