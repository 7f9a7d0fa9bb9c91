import fs from 'node:fs';
import { basename } from 'node:path';
import { replaceMethod } from '../realm/lookalike.js';
import { reflectApply } from '../realm/primordials.js';
import type { Texts } from '../realm/texts.js';
import type { Undo } from '../realm/undo.js';
import { calledFrom } from './caller.js';
import { type CoverageReport, correctCoverage, withoutOwnScripts } from './coverage.js';
import { nodeWords } from './node-words.js';

type ReadFile = (this: unknown, path: unknown, options?: unknown) => unknown;

const OPTION = '--experimental-test-coverage';
const READER = 'node:internal/test_runner/coverage';

/**
 * Node's test runner takes the coverage of its own process, and reads the reports of all, before the process ends: with its
 * option, the reports that it reads are corrected as they are read.
 */
export const followRunnerCoverage = (texts: Texts): Undo => {
  if (!nodeWords().includes(OPTION)) return () => {};
  texts.keepSources();
  texts.keepEvery();
  const ownReport = `coverage-${process.pid}-`;
  const correct = (json: string, name: string): string => {
    try {
      const report = JSON.parse(json) as CoverageReport;
      if (name.startsWith(ownReport)) correctCoverage(report, texts);
      else withoutOwnScripts(report, texts);
      return JSON.stringify(report);
    } catch {
      return json;
    }
  };
  return replaceMethod<ReadFile>(fs, 'readFileSync', (native) => {
    const standIn = {
      readFileSync(this: unknown, path: unknown, options?: unknown): unknown {
        const content = reflectApply(native, this, [path, options]);
        if (typeof path !== 'string' || typeof content !== 'string') return content;
        const name = basename(path);
        const isReport = name.startsWith('coverage-') && calledFrom(READER, standIn.readFileSync);
        return isReport ? correct(content, name) : content;
      },
    };
    return standIn.readFileSync;
  });
};
