const encoder = new TextEncoder();

/** A text that is printed again and again: in words, because four bytes are copied in the time of one. */
export interface StoredText {
  /** Bytes of the text in UTF-8, four to a word, the first in the lowest bits; the last word is filled with zeros. */
  readonly words: Int32Array;
  /** Number of the text's bytes. */
  readonly length: number;
}

/** @param text if bytes, in UTF-8 */
export function storedText(text: string | Uint8Array): StoredText {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text;
  // Bytes by way of the buffer would take the words out of V8's heap, where short arrays are.
  const words = new Int32Array((bytes.length + 3) >>> 2);
  bytes.forEach((byte, i) => {
    words[i >>> 2]! |= byte << ((i & 3) * 8);
  });
  return { words, length: bytes.length };
}
