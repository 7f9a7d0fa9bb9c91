import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeCoverage } from 'node:v8';
import type { TextPositions, Texts } from '../realm/texts.js';
import { type CoverageRange, correctRanges } from './coverage-ranges.js';

interface CoverageReport {
  result: { url: string; functions: { ranges: CoverageRange[] }[] }[];
  'source-map-cache'?: Record<string, { lineLengths: number[] } | undefined>;
}

const pathOf = (url: string): string => (url.startsWith('file:') ? fileURLToPath(url) : url);

/** V8 knows an ES module under its URL and a CommonJS file under its path; coverage names both by URL. */
const positionsOf = (texts: Texts, url: string): TextPositions | undefined =>
  texts.get(url) ?? texts.get(pathOf(url)) ?? texts.generated(url) ?? texts.generated(pathOf(url));

/** The file, if that still is what was loaded from it. */
const sourceOf = (url: string, length: number): string | undefined => {
  try {
    const source = readFileSync(pathOf(url), 'utf8').replace(/^\ufeff/, '');
    return source.length === length ? source : undefined;
  } catch {
    return undefined;
  }
};

/** Moves a report's offsets from texts with sites to their authors' texts, and drops what covers nothing but sites. */
export const correctCoverage = (report: CoverageReport, texts: Texts): void => {
  for (const { url, functions } of report.result) {
    const text = positionsOf(texts, url);
    if (text === undefined) continue;
    const source = sourceOf(url, text.length);
    for (const one of functions) one.ranges = correctRanges(one.ranges, text, source);
  }
  for (const [url, cached] of Object.entries(report['source-map-cache'] ?? {})) {
    const inserted = positionsOf(texts, url)?.insertedIn();
    if (!cached || !inserted) continue;
    cached.lineLengths = cached.lineLengths.map((length, line) => length - (inserted.get(line) ?? 0));
  }
};

const reportsIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).filter((name) => name.startsWith(`coverage-${process.pid}-`));
  } catch {
    return [];
  }
};

/**
 * Writes this thread's coverage report to NODE_V8_COVERAGE's folder, corrected. For the program's end, after everything else:
 * Node then writes a second report, of what ran since. On a failure Node's holds everything, with the offsets that V8 sees.
 */
export const writeCoverage = (folder: string, texts: Texts): void => {
  try {
    const earlier = reportsIn(folder);
    takeCoverage();
    for (const name of reportsIn(folder)) {
      if (earlier.includes(name)) continue;
      const file = join(folder, name);
      const report = JSON.parse(readFileSync(file, 'utf8')) as CoverageReport;
      correctCoverage(report, texts);
      writeFileSync(file, JSON.stringify(report));
    }
  } catch {
    // What Node writes at the end has to do.
  }
};
