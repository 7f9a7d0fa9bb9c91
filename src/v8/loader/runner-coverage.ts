import { Dir, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { SafeSet } from '../../base/safe-map.js';
import { readFileSync, writeFileSync } from '../../base/untraced-fs.js';
import { replaceMethod } from '../realm/lookalike.js';
import { reflectApply } from '../realm/primordials.js';
import type { Texts } from '../realm/texts.js';
import type { Undo } from '../realm/undo.js';
import { calledFrom } from './caller.js';
import { type CoverageReport, correctCoverage, withoutOwnScripts } from './coverage.js';
import { nodeWords } from './node-words.js';

type ReadSync = (this: Dir) => Dirent | null;

const OPTION = '--experimental-test-coverage';
const READER = 'node:internal/test_runner/coverage';

/**
 * Node's test runner takes the coverage of its own process, and reads the reports of all, before the process ends: with its
 * option, each report is corrected when the runner comes across it in their folder. It may have taken Node's function that reads
 * files before fentry came.
 */
export const followRunnerCoverage = (texts: Texts): Undo => {
  if (!nodeWords().includes(OPTION)) return () => {};
  texts.keepSources();
  texts.keepEvery();
  const ownReport = `coverage-${process.pid}-`;
  const corrected = new SafeSet<string>();
  const correct = (name: string, folder: string): void => {
    const file = join(folder, name);
    if (corrected.has(file)) return;
    corrected.add(file);
    try {
      const report = JSON.parse(readFileSync(file, 'utf8')) as CoverageReport;
      if (name.startsWith(ownReport)) correctCoverage(report, texts);
      else withoutOwnScripts(report, texts);
      writeFileSync(file, JSON.stringify(report));
    } catch {
      // The report with V8's offsets must do.
    }
  };
  return replaceMethod<ReadSync>(Dir.prototype, 'readSync', (native) => {
    const standIn = {
      readSync(this: Dir): Dirent | null {
        const entry = reflectApply(native, this, []) as Dirent | null;
        if (entry?.name.startsWith('coverage-') && calledFrom(READER, standIn.readSync)) correct(entry.name, this.path);
        return entry;
      },
    };
    return standIn.readSync;
  });
};
