import { isOwnCode } from '../own-code.js';
import type { Frame } from '../place.js';
import { type PlaceStyle, placedName, widthOfNames } from '../place-text.js';
import { placeOfWord } from '../place-word.js';
import type { FunctionsAnswer } from './functions-answer.js';

/** A line for each function: its name, its package in brackets, its place. */
export function functionsText({ application, functions }: FunctionsAnswer, style: PlaceStyle): readonly string[] {
  const width = widthOfNames(functions);
  return functions.map((one) => placedName(one, width, { folder: application, ...style }));
}

const LINE = /^(\S+)(?: \[([^\]]*)\])?(?: (.+))?$/s;

/** The function of a line of function_places, or of available_filter_functions; undefined: it is no such line. */
export function listedFunction(line: string): Frame | undefined {
  const [, name, from = '', word = ''] = LINE.exec(line) ?? [];
  if (name === undefined) return undefined;
  const place = placeOfWord(word);
  return {
    name,
    ...(place && { place }),
    ...(from !== '' && { package: from }),
    isOwn: isOwnCode({ package: from, file: place?.file }),
  };
}
