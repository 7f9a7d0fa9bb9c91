// What libtracefs's functions for events, filters, triggers, histograms and synthetic events do in the tracefs that they find.
// It needs a load that allocates and wakes tasks. Everything that it prints is in libtracefs.txt, as Linux 6.1 answers.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <tracefs.h>

/** Says what a call that gives 0 for success came to. */
static void did(const char *what, int failed)
{
	printf("%s: %s\n", what, failed ? strerror(errno) : "done");
}

/** Prints a text of libtracefs's and frees it, with # for the numbers that libtracefs puts into names and without times. */
static void show(char *text)
{
	int digits;
	for (char *c = text; c && *c; c++) {
		if (strncmp(c, "__", 2) == 0) {
			for (; *c && *c != '=' && *c != ',' && *c != ')'; c++) {
				if (*c < '0' || *c > '9') putchar(*c);
				else if (c[1] < '0' || c[1] > '9') putchar('#');
			}
		}
		if (*c == '[' && sscanf(c, "[ %*d.%*6d] %n", (digits = 0, &digits)) == 0 && digits) {
			printf("[time] ");
			c += digits - 1;
		} else if (*c) {
			putchar(*c);
		} else {
			break;
		}
	}
	if (!text) printf("nothing\n");
	free(text);
}

static void file(struct tracefs_instance *instance, const char *system, const char *event, const char *name)
{
	printf("%s/%s: ", event, name);
	show(tracefs_event_file_read(instance, system, event, name, NULL));
}

static int seen;

static int large(struct tep_event *event, struct tep_record *record, int cpu, void *context)
{
	unsigned long long size = 0;
	if (tep_get_field_val(NULL, event, "bytes_req", record, &size, 0) == 0 && size >= 2000) seen++;
	return 0;
}

static void events(struct tep_handle *tep, struct tracefs_instance *instance)
{
	struct tep_event *kmalloc = tep_find_event_by_name(tep, "kmem", "kmalloc");
	char *filter = NULL, *error = NULL;
	did("enable one event", tracefs_event_enable(instance, "kmem", "kmalloc"));
	printf("event %d\n", tracefs_event_is_enabled(instance, "kmem", "kmalloc"));
	printf("system %d\n", tracefs_event_is_enabled(instance, "kmem", NULL));
	did("enable a system", tracefs_event_enable(instance, "sched", NULL));
	printf("system %d\n", tracefs_event_is_enabled(instance, "sched", NULL));
	did("disable a system", tracefs_event_disable(instance, "sched", NULL));
	did("enable by expression", tracefs_event_enable(instance, "sc.*", "sched_w.*"));
	printf("system %d\n", tracefs_event_is_enabled(instance, "sched", NULL));
	did("disable by expression", tracefs_event_disable(instance, NULL, "sched_w.*"));
	did("enable none", tracefs_event_enable(instance, "nonsense", NULL));

	did("open", tracefs_filter_string_append(kmalloc, &filter, TRACEFS_FILTER_OPEN_PAREN, NULL, 0, NULL));
	did("compare", tracefs_filter_string_append(kmalloc, &filter, TRACEFS_FILTER_COMPARE, "bytes_req", TRACEFS_COMPARE_GE, "2000"));
	did("or", tracefs_filter_string_append(kmalloc, &filter, TRACEFS_FILTER_OR, NULL, 0, NULL));
	did("compare", tracefs_filter_string_append(kmalloc, &filter, TRACEFS_FILTER_COMPARE, "node", TRACEFS_COMPARE_EQ, "7"));
	did("close", tracefs_filter_string_append(kmalloc, &filter, TRACEFS_FILTER_CLOSE_PAREN, NULL, 0, NULL));
	did("verify", tracefs_filter_string_verify(kmalloc, filter, &error));
	did("apply", tracefs_event_filter_apply(instance, kmalloc, filter) < 0);
	file(instance, "kmem", "kmalloc", "filter");
	for (int i = 0; i < 3000 && seen < 5; i++) {
		tracefs_iterate_raw_events(tep, instance, NULL, 0, large, NULL);
		usleep(20000);
	}
	printf("five large ones: %d\n", seen >= 5);
	did("apply nonsense", tracefs_event_filter_apply(instance, kmalloc, "nonsense > 1") < 0);
	show(tracefs_error_last(instance));
	printf("\n");
	file(instance, "kmem", "kmalloc", "filter");
	did("clear errors", tracefs_error_clear(instance));
	show(tracefs_error_last(instance));
	did("apply", tracefs_event_filter_apply(instance, kmalloc, filter) < 0);
	did("clear the filter", tracefs_event_file_write(instance, "kmem", "kmalloc", "filter", "0") < 0);
	file(instance, "kmem", "kmalloc", "filter");

	did("trigger", tracefs_event_file_write(instance, "kmem", "kmalloc", "trigger", "snapshot if bytes_req == 1234567") < 0);
	did("trigger", tracefs_event_file_append(instance, "kmem", "kmalloc", "trigger", "stacktrace:7 if bytes_req == 1234567") < 0);
	file(instance, "kmem", "kmalloc", "trigger");
	did("the same again", tracefs_event_file_append(instance, "kmem", "kmalloc", "trigger", "stacktrace") < 0);
	did("remove", tracefs_event_file_append(instance, "kmem", "kmalloc", "trigger", "!stacktrace") < 0);
	did("remove", tracefs_event_file_append(instance, "kmem", "kmalloc", "trigger", "!snapshot") < 0);
	file(instance, "kmem", "kmalloc", "trigger");
}

static void histograms(struct tep_handle *tep, struct tracefs_instance *instance)
{
	struct tracefs_hist_axis_cnt keys[] = {
		{ "call_site", TRACEFS_HIST_KEY_SYM, 0 }, { "bytes_req", TRACEFS_HIST_KEY_BUCKETS, 100 },
		{ "bytes_alloc", TRACEFS_HIST_KEY_LOG, 0 }, { NULL, 0, 0 },
	};
	struct tracefs_hist *hist = tracefs_hist_alloc_nd_cnt(tep, "kmem", "kmalloc", keys);
	did("value", tracefs_hist_add_value(hist, "bytes_req"));
	did("sort", tracefs_hist_add_sort_key(hist, "bytes_req"));
	did("downwards", tracefs_hist_sort_key_direction(hist, "bytes_req", TRACEFS_HIST_SORT_DESCENDING));
	did("filter", tracefs_hist_append_filter(hist, TRACEFS_FILTER_COMPARE, "bytes_req", TRACEFS_COMPARE_GE, "2000"));
	did("name", tracefs_hist_add_name(hist, "sizes"));
	did("start", tracefs_hist_start(instance, hist));
	file(instance, "kmem", "kmalloc", "trigger");
	int counted = 0;
	for (int i = 0; i < 3000 && !counted; i++) {
		char *text = tracefs_event_file_read(instance, "kmem", "kmalloc", "hist", NULL);
		counted = text && strstr(text, "{ call_site: ") && strstr(text, "bytes_req: ~ ") && strstr(text, "bytes_alloc: ~ 2^");
		free(text);
		usleep(20000);
	}
	printf("counted: %d\n", counted);
	did("pause", tracefs_hist_pause(instance, hist));
	file(instance, "kmem", "kmalloc", "trigger");
	did("reset", tracefs_hist_reset(instance, hist));
	file(instance, "kmem", "kmalloc", "hist");
	did("continue", tracefs_hist_continue(instance, hist));
	file(instance, "kmem", "kmalloc", "trigger");
	did("destroy", tracefs_hist_destroy(instance, hist));
	file(instance, "kmem", "kmalloc", "trigger");
	tracefs_hist_free(hist);
}

/** Creates what was described, shows what that wrote, and waits for the first of its events. */
static void create(struct tep_handle *tep, struct tracefs_synth *synth)
{
	did("create", tracefs_synth_create(synth));
	show(tracefs_error_last(NULL));
	show(tracefs_instance_file_read(NULL, "synthetic_events", NULL));
	file(NULL, "sched", "sched_waking", "trigger");
	file(NULL, "sched", "sched_switch", "trigger");
	struct tep_event *event = tracefs_synth_get_event(tep, synth);
	printf("known: %s\n", event ? event->print_fmt.format : "no");
	did("enable", tracefs_event_enable(NULL, "synthetic", tracefs_synth_get_name(synth)));
	int came = 0;
	for (int i = 0; i < 3000 && !came; i++) {
		char *text = tracefs_instance_file_read(NULL, "trace", NULL);
		came = text && strstr(text, "delta=");
		free(text);
		usleep(20000);
	}
	printf("came: %d\n", came);
	did("disable", tracefs_event_disable(NULL, "synthetic", tracefs_synth_get_name(synth)));
	struct tracefs_dynevent **all = tracefs_dynevent_get_all(TRACEFS_DYNEVENT_SYNTH, NULL);
	for (int i = 0; all && all[i]; i++) {
		char *system, *name, *prefix, *address, *format;
		int type = tracefs_dynevent_info(all[i], &system, &name, &prefix, &address, &format);
		printf("dynamic event %d %s %s %s\n", type, system, name, format);
	}
	did("destroy", tracefs_synth_destroy(synth));
	show(tracefs_instance_file_read(NULL, "synthetic_events", NULL));
	tracefs_synth_free(synth);
}

static void synthetic(struct tep_handle *tep)
{
	struct tracefs_synth *synth = tracefs_synth_alloc(tep, "woken", "sched", "sched_waking", "sched", "sched_switch", "pid", "next_pid", "pid");
	did("delta", tracefs_synth_add_compare_field(synth, "common_timestamp.usecs", "common_timestamp.usecs", TRACEFS_SYNTH_DELTA_END, "delta"));
	did("field of the end", tracefs_synth_add_end_field(synth, "next_prio", NULL));
	did("field of the start", tracefs_synth_add_start_field(synth, "comm", "comm"));
	did("filter", tracefs_synth_append_start_filter(synth, TRACEFS_FILTER_COMPARE, "pid", TRACEFS_COMPARE_GT, "0"));
	create(tep, synth);

	char *error = NULL;
	synth = tracefs_sql(tep, "waited",
		"SELECT start.pid, (end.TIMESTAMP_USECS - start.TIMESTAMP_USECS) AS delta, end.next_prio"
		" FROM sched_waking AS start JOIN sched_switch AS end ON start.pid = end.next_pid"
		" WHERE start.prio < 200 && end.prev_prio >= 0", &error);
	did(error ? error : "sql", synth == NULL);
	if (synth) create(tep, synth);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	struct tep_handle *tep = tracefs_local_events(NULL);
	struct tracefs_instance *instance = tracefs_instance_create("lib");
	did("instance", instance == NULL);
	events(tep, instance);
	histograms(tep, instance);
	synthetic(tep);
	did("destroy all", tracefs_dynevent_destroy_all(TRACEFS_DYNEVENT_SYNTH, true));
	did("destroy the instance", tracefs_instance_destroy(instance));
	return 0;
}
