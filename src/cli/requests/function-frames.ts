import { listedFunction } from '../../answers/functions/functions-text.js';
import { isOwnCode } from '../../answers/own-code.js';
import type { Frame } from '../../answers/place.js';

/**
 * The application's functions by the names that stacks have, from the text of function_places. Of functions with one name the
 * first counts: stacks do not tell them apart.
 */
export function functionFrames(text: string): ReadonlyMap<string, Frame> {
  const frames = new Map<string, Frame>();
  for (const one of text.split('\n')) {
    const frame = listedFunction(one);
    if (frame?.place === undefined || frame.package !== undefined || frames.has(frame.name)) continue;
    frames.set(frame.name, { ...frame, isOwn: true });
  }
  return frames;
}

/** A function of the application that a recording has with its place: `handler\tsrc/server.mjs:12`. */
export function recordedFrame(text: string): Frame | undefined {
  const [, name, file, line] = /^([^\t[]+)\t(.+):(\d+)$/.exec(text) ?? [];
  if (name === undefined || !isOwnCode({ file })) return undefined;
  return { name, place: { file: file!, line: Number(line), column: 0 }, isOwn: true };
}
