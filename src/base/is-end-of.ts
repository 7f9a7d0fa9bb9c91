/** Whether a path is a file's, or the end of its path. */
export const isEndOf = (path: string, file: string): boolean =>
  file === path || file.endsWith(path.startsWith('/') ? path : `/${path}`);
