import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeCoverage } from 'node:v8';
import { readdirSync, readFileSync, renameSync, writeFileSync } from '../../base/untraced-fs.js';
import type { TextPositions, Texts } from '../realm/texts.js';
import { type CoverageRange, correctRanges } from './coverage-ranges.js';

/** What V8 counted in one script. */
export interface ScriptCoverage {
  readonly url: string;
  readonly functions: { ranges: CoverageRange[] }[];
}

/** A report in the folder of NODE_V8_COVERAGE. */
export interface CoverageReport {
  result: ScriptCoverage[];
  'source-map-cache'?: Record<string, { lineLengths: number[] } | undefined>;
}

const pathOf = (url: string): string => {
  try {
    return url.startsWith('file:') ? fileURLToPath(url) : url;
  } catch {
    return url;
  }
};

/** V8 knows an ES module under its URL and a CommonJS file under its path; coverage names both by URL. */
const positionsOf = (texts: Texts, url: string): TextPositions | undefined =>
  texts.get(url) ?? texts.get(pathOf(url)) ?? texts.generated(url) ?? texts.generated(pathOf(url));

/** Units that may follow a module's text in what V8 has compiled. */
const AROUND = 8;

/**
 * The positions of one script: a hook of `_compile` may have compiled several texts under one name, some of them without sites.
 * The script's first range is all of it.
 */
const positionsOfScript = (texts: Texts, { url, functions }: ScriptCoverage): TextPositions | undefined => {
  const every = [...texts.every(url), ...texts.every(pathOf(url))];
  const length = functions[0]?.ranges[0]?.endOffset;
  if (every.length === 0 || length === undefined || functions[0]?.ranges[0]?.startOffset !== 0) return positionsOf(texts, url);
  const distance = (text: TextPositions): number => Math.abs(length - text.compiledOffset(text.length));
  const [nearest] = every.sort((one, other) => distance(one) - distance(other));
  return nearest !== undefined && distance(nearest) <= AROUND ? nearest : undefined;
};

/** The text that the program compiled under the name, or the file, if it is still what was loaded. */
const sourceOf = (texts: Texts, url: string, length: number): string | undefined => {
  try {
    const path = pathOf(url);
    const source = texts.source(url) ?? texts.source(path) ?? readFileSync(path, 'utf8').replace(/^\ufeff/, '');
    return source.length === length ? source : undefined;
  } catch {
    return undefined;
  }
};

/** Moves the offsets in a script with sites to the original text, and drops ranges that cover only sites. */
export const correctScript = (script: ScriptCoverage, texts: Texts): void => {
  const { url, functions } = script;
  const text = positionsOfScript(texts, script);
  if (text === undefined) return;
  const source = sourceOf(texts, url, text.length);
  for (const one of functions) one.ranges = correctRanges(one.ranges, text, source);
};

/** Takes fentry's own files out of a report, in which the program did not call them. */
export const withoutOwnScripts = (report: CoverageReport, texts: Texts): void => {
  report.result = report.result.filter(({ url }) => !texts.isOwn(url));
  const maps = report['source-map-cache'];
  if (maps === undefined) return;
  for (const url of Object.keys(maps)) if (texts.isOwn(url)) delete maps[url];
  // Without any map there is no cache: the test runner takes scripts of one name for one then, and does not otherwise.
  if (Object.keys(maps).length === 0) delete report['source-map-cache'];
};

/** Moves a report's offsets from texts with sites to the original texts, and leaves fentry's own files out. */
export const correctCoverage = (report: CoverageReport, texts: Texts): void => {
  withoutOwnScripts(report, texts);
  for (const script of report.result) correctScript(script, texts);
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

const DAY = 86_400_000;

/**
 * The name of a report with a time a day later: tools (c8) read reports in the order of their names, and keep the last report's
 * line lengths of each file. Those of the report that Node writes after this one count the sites.
 */
export const laterName = (name: string): string => name.replace(/-(\d{13})-/, (_, time: string) => `-${Number(time) + DAY}-`);

/**
 * Writes this thread's coverage report to NODE_V8_COVERAGE's folder, corrected. For the program's end, after everything else:
 * Node then writes a second report, of what ran since. If this fails, Node's report has everything, with V8's offsets.
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
      renameSync(file, join(folder, laterName(name)));
    }
  } catch {
    // The report that Node writes at the end must do.
  }
};
