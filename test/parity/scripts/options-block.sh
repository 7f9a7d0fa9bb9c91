for option in block record-cmd record-tgid disable_on_free pause-on-trace markers annotate irq-info; do echo 1 > options/$option; cat options/$option; echo 0 > options/$option; cat options/$option; done
grep -e block -e record -e disable -e pause -e markers -e annotate -e irq-info trace_options
