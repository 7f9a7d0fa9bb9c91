import { report } from '../report/report.js';
import type { ReportOptions, ReportResult } from '../report/report-options.js';

/** A whole report as text. `more` is asked after each write whether more is wanted. */
export function reportText(
  path: string,
  options: ReportOptions = {},
  more: () => boolean = () => true,
): { text: string; result: ReportResult } {
  const chunks: Buffer[] = [];
  const result = report(path, options, {
    write(bytes) {
      chunks.push(Buffer.from(bytes));
      return more();
    },
  });
  return { text: Buffer.concat(chunks).toString('utf8'), result };
}
