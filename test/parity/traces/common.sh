# Shows the trace once with some options changed (`name` sets one, `noname` clears it), then puts them back.
show() {
  echo "=== trace $*"
  for o in $*; do case $o in no*) echo 0 > options/${o#no} ;; *) echo 1 > options/$o ;; esac; done
  case " $* " in *" bin "*) base64 trace ;; *) cat trace ;; esac
  for o in $*; do case $o in no*) echo 1 > options/${o#no} ;; *) echo 0 > options/$o ;; esac; done
}

# Everything that is needed to print the same from the records alone. Reading the pages consumes them: call it last.
material() {
  echo "=== cmdlines"; cat saved_cmdlines
  echo "=== tgids"; cat saved_tgids
  for c in 0 1; do
    echo "=== stats $c"; cat per_cpu/cpu$c/stats
  done
  for c in 0 1; do
    echo "=== pages $c"
    # dd reads; cat would splice, and give pages that are already reused
    (timeout 2 dd if=per_cpu/cpu$c/trace_pipe_raw of=/tmp/pages bs=4096; true) > /dev/null 2>&1; base64 /tmp/pages
  done
  echo "=== kallsyms"
  # a symbol's size is known from where the next one starts
  sort /proc/kallsyms | awk -v want="$1" '{ if (keep) { print $1; keep = 0 } if ($3 ~ want || $3 == "tracing_mark_write") { print; keep = 1 } }'
}
