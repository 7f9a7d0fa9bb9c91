import { TraceError } from '../base/errno.js';
import { FilterEditor, NO_FILTER, parseFilterWord } from '../core/function-filter.js';

import type { TraceHost } from '../tracefs/host.js';
import type { TraceDirectory, TraceFile } from '../tracefs/node.js';
import { directory } from '../tracefs/path.js';

const file = (read: () => string, write?: (text: string) => unknown): TraceFile => ({
  kind: 'file',
  mode: 0o640,
  open() {
    let done = false;
    return {
      read() {
        if (done) return new Uint8Array();
        done = true;
        return Buffer.from(read());
      },
      async write(b) {
        if (!write) throw new TraceError('EINVAL');
        await write(Buffer.from(b).toString().trim());
      },
      release() {},
    };
  },
});
export function createTracefs(host: TraceHost): TraceDirectory {
  let tracer = 'nop';
  return directory({
    current_tracer: file(
      () => `${tracer}\n`,
      async (t) => {
        if (!['nop', 'function', 'function_graph'].includes(t)) throw new TraceError('EINVAL');
        await host.setTracer(t as never);
        tracer = t;
      },
    ),
    tracing_on: file(
      () => '1\n',
      (t) => host.setTracingOn(t !== '0'),
    ),
    set_ftrace_filter: file(
      () => '',
      (t) => {
        const fns = host.functions;
        const listed = [...fns.numbers()].filter((n) => !fns.reason(n));
        const e = new FilterEditor(
          { listed, name: (n) => fns.name(n), module: (n) => fns.module(n), hasModule: () => true },
          NO_FILTER,
        );
        for (const w of t.split(/\s+/)) if (w) e.apply(parseFilterWord(w), true);
        return host.setFilter('filter', e.result());
      },
    ),
    available_filter_functions: file(() => {
      const f = host.functions;
      return [...f.numbers()].map((n) => `${f.name(n)}${f.module(n) ? ` [${f.module(n)}]` : ''}\n`).join('');
    }),
    enabled_functions: file(() => {
      const f = host.functions;
      return [...f.numbers()]
        .filter((n) => f.refs(n))
        .map((n) => `${f.name(n)} (${f.refs(n)}) ${f.trampoline(n)}\n`)
        .join('');
    }),
    buffer_size_kb: file(
      () => '',
      (t) => host.resize(-1, Number(t) * 1024),
    ),
    trace_marker: file(
      () => '',
      (t) => host.mark(Buffer.from(t), 1, 'sh'),
    ),
    trace: file(() => host.cpus.map((b) => JSON.stringify(b.reader?.stats(host.now()))).join('\n')),
  });
}
