/* The live patches that record.mjs loads into the real kernel: `one` replaces one function, `both` (BOTH) also one in which a task waits. */
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/seq_file.h>

static int patched_cmdline(struct seq_file *file, void *unused)
{
	seq_puts(file, "patched\n");
	return 0;
}

#ifdef BOTH
static long patched_pause(const struct pt_regs *unused)
{
	return -EINTR;
}
#endif

static struct klp_func functions[] = {
	{ .old_name = "cmdline_proc_show", .new_func = patched_cmdline },
#ifdef BOTH
	{ .old_name = "__do_sys_pause", .new_func = patched_pause },
#endif
	{}
};

static struct klp_object objects[] = { { .funcs = functions }, {} };
static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };

static int __init load(void)
{
	return klp_enable_patch(&patch);
}

static void __exit unload(void)
{
}

module_init(load);
module_exit(unload);
MODULE_LICENSE("Dual MIT/GPL");
MODULE_INFO(livepatch, "Y");
