import { createRequire } from 'node:module';
import { ownFileWork } from '../../../base/own-fs.js';
import type { initializerTest as InitializerTest } from '../instrument/index.js';

/** The first V8 that evaluates in initializers of classes as elsewhere: that of Node 24. */
const FIRST_SOUND = 13;

const nowhere = (): boolean => false;
const everywhere = (): boolean => true;

/**
 * Returns what says whether an offset of a text is one where V8 stops, but must not evaluate anything. In initializers of classes (fields,
 * static blocks) V8 before 13 has a wrong `this` there, or aborts the process with a failed check.
 */
export function unreadablePlaces(ownFolder: string): (source: string, isModule: boolean) => (offset: number) => boolean {
  if (Number.parseInt(process.versions.v8, 10) >= FIRST_SOUND) return () => nowhere;
  return (source, isModule) => {
    if (!/\bclass\b/.test(source)) return nowhere;
    try {
      const { initializerTest } = ownFileWork(createRequire(ownFolder))('./instrument.cjs') as {
        readonly initializerTest: typeof InitializerTest;
      };
      return initializerTest(source, isModule);
    } catch {
      return everywhere;
    }
  };
}
