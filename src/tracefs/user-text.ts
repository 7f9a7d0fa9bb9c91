/**
 * What a written text is to a file that copies at most `size` characters of it into a buffer and reads that as a C string: it ends
 * at its first NUL.
 */
export const userText = (text: string, size?: number): string => text.slice(0, size).split('\0', 1)[0]!;
