// A database of the service, made up: queries take as long as their text says. It declares its queries as events.
import { setTimeout as wait } from 'node:timers/promises';
import { string, traceEvent, u32 } from 'fentry/tracepoint';

const queryStart = traceEvent('db', 'query_start', {
  args: ['id', 'sql'],
  fields: { id: u32((id) => id), sql: string((_id, sql) => sql) },
  print: '"id=%u sql=%s", REC->id, __get_str(sql)',
});
const queryDone = traceEvent('db', 'query_done', {
  args: ['id', 'rows'],
  fields: { id: u32((id) => id), rows: u32((_id, rows) => rows.length) },
  print: '"id=%u rows=%u", REC->id, REC->rows',
});

let queries = 0;

export async function query(sql) {
  const id = ++queries;
  queryStart(id, sql);
  await wait(sql.includes('LIKE') ? 30 : 2);
  const rows = Array.from({ length: 2000 }, (_, row) => ({ row, sql }));
  queryDone(id, rows);
  return rows;
}
