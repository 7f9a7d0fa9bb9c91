import { walkCalls } from '../../output/trace-dat/calls/walk-calls.js';
import type { MeasuredRecording } from '../../timeline/compare.js';
import { MeasuredCalls } from './measured-calls.js';

/**
 * Measures the functions of a recording. Throws TraceDatError for a file that cannot be read.
 * @param warn is told what is missing in it
 */
export function measureRecording(file: string, warn: (message: string) => void): MeasuredRecording {
  const calls = new MeasuredCalls();
  const { application, warnings } = walkCalls(file, undefined, calls);
  for (const warning of warnings) warn(`${file}: ${warning}`);
  return { file, application, functions: calls.functions() };
}
