// A reporter for node:test: writes the totals, the reason of each skipped test and the files with a failed one as JSON, for
// scripts/test.mjs and scripts/ci.mjs.

/** The totals arrive as diagnostics of the outermost level ("pass 12"), on every Node from 20 on. */
const TOTAL = /^(tests|pass|fail|cancelled|skipped|todo) (\d+)$/;

/** @param {AsyncIterable<{ type: string, data: any }>} source */
export default async function* summary(source) {
  const totals = { pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
  const skips = [];
  const failedFiles = new Set();
  for await (const { type, data } of source) {
    if (type === 'test:diagnostic' && data.nesting === 0) {
      const total = TOTAL.exec(data.message);
      if (total) totals[total[1]] = Number(total[2]);
    }
    if (type === 'test:pass' && data.skip !== undefined)
      skips.push({ name: data.name, reason: data.skip === true ? '' : String(data.skip) });
    // The outermost of failed tests that are nested tells of all of them.
    if (type === 'test:fail' && data.nesting === 0 && data.todo === undefined) failedFiles.add(data.file ?? '');
  }
  yield JSON.stringify({ ...totals, skips, failedFiles: [...failedFiles] });
}
