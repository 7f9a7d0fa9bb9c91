import { createRequire } from 'node:module';
import { ownFileWork } from '../../base/own-fs.js';
import type { classTest as ClassTest } from '../instrument/index.js';

/** The first V8 that evaluates in classes as elsewhere: that of Node 24. */
const FIRST_SOUND = 13;

const nowhere = (): boolean => false;
const everywhere = (): boolean => true;

/**
 * Returns what says whether an offset of a text is one where V8 stops, but must not evaluate anything. In the fields, static
 * blocks and computed names of classes V8 before 13 has a wrong `this`, or aborts the process with a failed check.
 */
export function unreadablePlaces(ownFolder: string): (source: string, isModule: boolean) => (offset: number) => boolean {
  if (Number.parseInt(process.versions.v8, 10) >= FIRST_SOUND) return () => nowhere;
  return (source, isModule) => {
    if (!/\bclass\b/.test(source)) return nowhere;
    try {
      const { classTest } = ownFileWork(createRequire(ownFolder))('./instrument.cjs') as {
        readonly classTest: typeof ClassTest;
      };
      return classTest(source, isModule);
    } catch {
      return everywhere;
    }
  };
}
