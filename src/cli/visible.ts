/** Control characters, including C1, except line breaks and tabs: a terminal would obey them, even in a name. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A text with its control characters as `cat -v` shows them: `^[` for an escape, `M-^[` for the one of 8 bits. */
export const visible = (text: string): string =>
  text.replace(CONTROL, (char) => {
    const code = char.charCodeAt(0);
    const caret = `^${String.fromCharCode((code & 0x7f) ^ 0x40)}`;
    return code < 0x80 ? caret : `M-${caret}`;
  });
