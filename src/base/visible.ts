/**
 * Control characters, including C1, except line breaks and tabs: a terminal would obey them, even in a name. So it would those
 * that break lines or turn the direction of a text round, or are not seen.
 */
const CONTROL =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const FIRST_WIDE = 0xa0;

/**
 * A text with its control characters as `cat -v` shows them: `^[` for an escape, `M-^[` for the one of 8 bits; `<U+202E>` for one
 * beyond.
 */
export const visible = (text: string): string =>
  text.replace(CONTROL, (char) => {
    const code = char.charCodeAt(0);
    if (code >= FIRST_WIDE) return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
    const caret = `^${String.fromCharCode((code & 0x7f) ^ 0x40)}`;
    return code < 0x80 ? caret : `M-${caret}`;
  });

/** A text made visible as one line, for names: line breaks and tabs are blanks. */
export const visibleLine = (text: string): string => visible(text).replace(/[\n\t]/g, ' ');
