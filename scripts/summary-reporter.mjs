// A reporter for node:test: writes the totals and the reason of each skipped test as JSON, for scripts/test.mjs.

/** The totals arrive as diagnostics of the outermost level ("pass 12"), on every Node from 20 on. */
const TOTAL = /^(tests|pass|fail|cancelled|skipped|todo) (\d+)$/;

/** @param {AsyncIterable<{ type: string, data: any }>} source */
export default async function* summary(source) {
  const totals = { pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
  const skips = [];
  for await (const { type, data } of source) {
    if (type === 'test:diagnostic' && data.nesting === 0) {
      const total = TOTAL.exec(data.message);
      if (total) totals[total[1]] = Number(total[2]);
    }
    if (type === 'test:pass' && data.skip !== undefined)
      skips.push({ name: data.name, reason: data.skip === true ? '' : String(data.skip) });
  }
  yield JSON.stringify({ ...totals, skips });
}
