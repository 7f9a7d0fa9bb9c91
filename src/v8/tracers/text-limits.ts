import { MAX_TEXT_SIZE } from '../../port/limits.js';

/**
 * The most bytes of one value, whatever is chosen: the record's length field is one byte, and the values of a call must fit into
 * a page.
 */
export const MOST_VALUE_BYTES = 248;
/** Bytes of a value besides a text in it: quotes, and the character that says that it was cut. */
const AROUND = 8;

const DEFAULT = { text: MAX_TEXT_SIZE, string: 40, value: 120 } as const;

/** How long recorded texts are on this thread (max_text_size). */
export const textLimits: {
  /** Characters of a text in an event. */
  text: number;
  /** Characters of a string in a value that is shown: an argument, a result. */
  string: number;
  /** Bytes of such a value. */
  value: number;
} = { ...DEFAULT };

/** Texts have at most so many characters from now on; 0: as many as at first. */
export function setTextSize(characters: number): void {
  const isDefault = characters === 0;
  textLimits.text = isDefault ? DEFAULT.text : characters;
  textLimits.string = isDefault ? DEFAULT.string : Math.min(characters, MOST_VALUE_BYTES - AROUND);
  textLimits.value = isDefault ? DEFAULT.value : Math.max(DEFAULT.value, Math.min(characters + AROUND, MOST_VALUE_BYTES));
}
