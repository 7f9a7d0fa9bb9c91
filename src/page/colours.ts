import type { TimelineFunction } from '../timeline/columns-format.js';

/** Colours of the drawings, as the style sheet has them for the scheme that the person prefers. */
export interface Theme {
  readonly isDark: boolean;
  readonly background: string;
  readonly lane: string;
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly accent: string;
  readonly lost: string;
  readonly mark: string;
}

const LIGHT: Theme = {
  isDark: false,
  background: '#ffffff',
  lane: '#f2f4f7',
  text: '#1b1f24',
  faint: '#59636e',
  line: '#c8d0d9',
  accent: '#0a58ca',
  lost: '#c62828',
  mark: '#7b3fb5',
};
const DARK: Theme = {
  isDark: true,
  background: '#14171b',
  lane: '#1c2026',
  text: '#e8ebef',
  faint: '#a0aab6',
  line: '#3a424d',
  accent: '#6ea8fe',
  lost: '#ff6b6b',
  mark: '#c79bff',
};

/** The scheme that the person prefers. */
export const themeOf = (isDark: boolean): Theme => (isDark ? DARK : LIGHT);

/** Hues of a colour wheel for functions. */
const HUES = 24;

/** A number of a text that differs for most texts. */
function hash(text: string): number {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return (value ^ (value >>> 13)) >>> 0;
}

/** Red, green and blue from 0 to 255 of a hue in degrees, and saturation and lightness from 0 to 1. */
function rgbOf(hue: number, saturation: number, lightness: number): readonly [number, number, number] {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const part = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}

/** A colour as a pixel of an ImageData on a little-endian machine. */
export const pixelOf = ([red, green, blue]: readonly [number, number, number]): number =>
  (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;

/** `#rrggbb` as a pixel. */
export const pixelOfText = (text: string): number => {
  const value = Number.parseInt(text.slice(1), 16);
  return pixelOf([value >> 16, (value >> 8) & 255, value & 255]);
};

/** The hues of what takes longer, and of what takes less: those that most people who see few colours can tell apart. */
const GROWN_HUE = 28;
const SHRUNK_HUE = 212;

/**
 * The colour of a change: from grey to orange for what has grown, to blue for what has shrunk.
 * @param part the change as a part of both: -1 for what is gone, 1 for what is new
 */
export function changeColour(part: number, isDark: boolean): readonly [number, number, number] {
  const strength = Math.min(1, 1.6 * Math.abs(part));
  return rgbOf(part < 0 ? SHRUNK_HUE : GROWN_HUE, 0.85 * strength, isDark ? 0.26 + 0.1 * strength : 0.88 - 0.16 * strength);
}

/** What colours tell of a function. */
type Coloured = Pick<TimelineFunction, 'name' | 'package' | 'isOwn'>;

/** Shades of a package's colour: neighbours can be told apart. */
const SHADES = 4;
const SHADE = 0.025;

/**
 * The colour of a function: the application's own by its name in full colours, a package's by the package in pale ones, a little
 * lighter or darker by the name. Text on it has the theme's colour.
 */
export function functionColour(one: Coloured, isDark: boolean): readonly [number, number, number] {
  const hue = (hash(one.isOwn ? one.name : one.package) % HUES) * (360 / HUES);
  if (one.isOwn) return rgbOf(hue, 0.62, isDark ? 0.34 : 0.76);
  const shade = ((hash(one.name) % SHADES) - 1) * SHADE;
  return rgbOf(hue, 0.16, (isDark ? 0.27 : 0.84) + shade);
}

const NO_FUNCTION: Coloured = { name: '', package: '', isOwn: false };
let known: { readonly functions: readonly Coloured[]; readonly count: number; readonly hasOwn: boolean } | undefined;

/** The colour of a function of a recording: where nothing is the application's, all have full colours. */
export function colourAmong(functions: readonly Coloured[], func: number, isDark: boolean): readonly [number, number, number] {
  if (known?.functions !== functions || known.count !== functions.length)
    known = { functions, count: functions.length, hasOwn: functions.some(({ isOwn }) => isOwn) };
  const one = functions[func];
  return functionColour(one === undefined ? NO_FUNCTION : { ...one, isOwn: one.isOwn || !known.hasOwn }, isDark);
}
