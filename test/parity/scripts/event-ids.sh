# An id is a number, and the one of the format.
grep -c '^[0-9][0-9]*$' events/module/module_load/id
grep -c 'ID: [0-9][0-9]*$' events/module/module_load/format
for e in function print bprint kernel_stack; do cat events/ftrace/$e/id; done
