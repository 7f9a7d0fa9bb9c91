import { StringPrototypeCharCodeAt as charCodeAt, StringPrototypeSlice as slice } from './primordials.js';

/** The most characters of a name: it is a file's. */
const LONGEST = 120;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isLetter = (code: number): boolean => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f;

/** The name of the event of a channel: what an event's name cannot have (other than letters, digits and _) becomes `_`. */
export function channelEventName(channel: string): string {
  const shown = slice(channel, 0, LONGEST);
  let name = shown.length === 0 || isDigit(charCodeAt(shown, 0)) ? '_' : '';
  for (let i = 0; i < shown.length; i++) {
    const code = charCodeAt(shown, i);
    name += isLetter(code) || isDigit(code) ? shown[i] : '_';
  }
  return name;
}
