import type { Verb } from './verb.js';
import { alloc } from './verbs/alloc.js';
import { attach } from './verbs/attach.js';
import { bpftrace } from './verbs/bpftrace.js';
import { bt } from './verbs/bt.js';
import { calls } from './verbs/calls.js';
import { cat } from './verbs/cat.js';
import { clear } from './verbs/clear.js';
import { collect } from './verbs/collect.js';
import { completionVerb } from './verbs/completion.js';
import { detach } from './verbs/detach.js';
import { diff } from './verbs/diff.js';
import { disassemble } from './verbs/disassemble.js';
import { dump } from './verbs/dump.js';
import { env } from './verbs/env.js';
import { exec } from './verbs/exec.js';
import { extract } from './verbs/extract.js';
import { handles } from './verbs/handles.js';
import { heap } from './verbs/heap.js';
import { list } from './verbs/list.js';
import { livepatch } from './verbs/livepatch.js';
import { ls } from './verbs/ls.js';
import { mount } from './verbs/mount.js';
import { open } from './verbs/open.js';
import { prepare } from './verbs/prepare.js';
import { probe } from './verbs/probe.js';
import { ps } from './verbs/ps.js';
import { record } from './verbs/record.js';
import { recordmcount } from './verbs/recordmcount.js';
import { report } from './verbs/report.js';
import { requests } from './verbs/requests.js';
import { reset } from './verbs/reset.js';
import { restore } from './verbs/restore.js';
import { sh } from './verbs/sh.js';
import { show } from './verbs/show.js';
import { slow } from './verbs/slow.js';
import { snapshot } from './verbs/snapshot.js';
import { stack } from './verbs/stack.js';
import { stap } from './verbs/stap.js';
import { start } from './verbs/start.js';
import { stat } from './verbs/stat.js';
import { stop } from './verbs/stop.js';
import { top } from './verbs/top.js';
import { ui } from './verbs/ui.js';
import { unmount } from './verbs/unmount.js';
import { append, write } from './verbs/write.js';

/** In the order of `fentry --help`. */
export const VERBS: readonly Verb[] = [
  record,
  collect,
  report,
  diff,
  dump,
  open,
  ui,
  start,
  stop,
  show,
  calls,
  bt,
  slow,
  handles,
  requests,
  alloc,
  heap,
  stat,
  top,
  list,
  reset,
  clear,
  extract,
  restore,
  snapshot,
  stack,
  probe,
  bpftrace,
  stap,
  livepatch,
  disassemble,
  recordmcount,
  ls,
  cat,
  write,
  append,
  mount,
  unmount,
  exec,
  sh,
  ps,
  env,
  prepare,
  attach,
  detach,
  completionVerb(() => VERBS),
];
