/**
 * A program in C++ whose THREADS threads never stop, and whose main thread goes down a number of calls in one of several ways,
 * says so, and goes on with the next line. For a line `KIND DEPTH` it prints `down` and later `KIND RESULT`; for `turns`, when
 * all threads have made another turn, how many results were wrong.
 */
export const DETACHED_PROGRAM = `
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <pthread.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>
#define KEPT extern "C" __attribute__((noinline))
#ifdef __aarch64__
#define PC(context) (context)->uc_mcontext.pc
#else
#define PC(context) (context)->uc_mcontext.gregs[REG_RIP]
#endif
static std::atomic<long> wrong;

/* A line is read and written by system calls, which signal handlers may make. */
KEPT void wait_here() {
  if (write(1, "down\\n", 5) != 5) wrong++;
  for (char c = 0; c != '\\n';) if (read(0, &c, 1) < 1) _exit(2);
  asm volatile("");
}
KEPT int counted(int x) { asm volatile(""); return x + 1; }
KEPT int deeper(int depth, void (*bottom)()) {
  if (depth == 0) { if (bottom) bottom(); return 0; }
  int result = deeper(depth - 1, bottom) + 1;
  asm volatile("");
  return result;
}

/* Each frame has a destructor that calls a traced function; one of them waits. */
static int ended, waits_at;
struct Leaves {
  int depth;
  ~Leaves() { ended = counted(ended); if (depth == waits_at) wait_here(); }
};
KEPT int leaves(int depth) {
  Leaves own{depth};
  if (depth == 0) throw counted(6);
  int result = leaves(depth - 1);
  asm volatile("");
  return result;
}
KEPT int throwing(int depth) {
  if (depth == 0) throw 7;
  int result = throwing(depth - 1);
  asm volatile("");
  return result;
}
/* Each frame throws the exception again; one of them waits before that. */
KEPT int again(int depth) {
  if (depth == 0) throw 0;
  try { return again(depth - 1); }
  catch (int n) { if (depth == waits_at) wait_here(); if (n < 0) wrong++; ended = counted(ended); throw; }
}

static jmp_buf back;
KEPT void jumps() { wait_here(); longjmp(back, 1); }

static char own_stack[1 << 18], other_stack[1 << 18];
static int handled, half;
KEPT void handle(int) { handled = deeper(half, wait_here); }
KEPT void raises() { raise(SIGUSR1); asm volatile(""); }

static ucontext_t outside, inside;
KEPT void leave() { swapcontext(&inside, &outside); }
KEPT void in_turn() { wait_here(); leave(); }
static void coroutine() { for (;;) if (deeper(half, in_turn) != half) wrong++; }
KEPT void resume() { swapcontext(&outside, &inside); }
/* It waits outside, while the coroutine is in the midst of its calls. */
KEPT void outside_waits() { wait_here(); }
static void coroutine_left() { for (int depth = half;;) if (deeper(depth, leave) != depth) wrong++; }

/* Where the unwinder's text is. */
static unsigned long unwinder[2];
static int find(struct dl_phdr_info *info, size_t, void *) {
  if (!strstr(info->dlpi_name, "libgcc_s")) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    auto &part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || !(part.p_flags & PF_X)) continue;
    unwinder[0] = info->dlpi_addr + part.p_vaddr;
    unwinder[1] = unwinder[0] + part.p_memsz;
  }
  return 1;
}
/* Waits in the midst of the unwinder. */
static volatile sig_atomic_t has_waited;
static void interrupt(int, siginfo_t *, void *context) {
  unsigned long pc = PC((ucontext_t *)context);
  if (has_waited || pc < unwinder[0] || pc >= unwinder[1]) return;
  has_waited = 1;
  wait_here();
}

/* Waits in the midst of a walk over the stack, when the unwinder has read that a followed call returns to fentry's code, and
   goes on from there. */
extern char __executable_start, etext;
static int walked, outside_text;
static _Unwind_Reason_Code look(_Unwind_Context *context, void *) {
  unsigned long pc = _Unwind_GetIP(context);
  // What is said of a function may begin behind its NOPs.
  walked += _Unwind_GetRegionStart(context) - (unsigned long)deeper < 32;
  bool is_outside = pc < (unsigned long)&__executable_start || pc >= (unsigned long)&etext;
  if (is_outside && outside_text++ == half) wait_here();
  return _URC_NO_REASON;
}
KEPT void walks() { _Unwind_Backtrace(look, 0); asm volatile(""); }

static int run(const char *kind, int depth) {
  half = depth / 2 + 1;
  waits_at = half;
  ended = 0;
  if (!strcmp(kind, "recursion")) return deeper(depth, wait_here);
  if (!strcmp(kind, "destructors")) try { leaves(depth); } catch (int n) { return n == 7 ? ended - 1 : -1; }
  if (!strcmp(kind, "rethrown")) try { again(depth); } catch (int n) { return ended; }
  if (!strcmp(kind, "longjmp")) { if (setjmp(back) == 0) { deeper(depth, jumps); return -1; } return depth; }
  if (!strcmp(kind, "signal")) { int result = deeper(depth, raises); return handled == half ? result : -1; }
  if (!strcmp(kind, "coroutine") || !strcmp(kind, "outside")) {
    bool is_inside = *kind == 'c';
    getcontext(&inside);
    inside.uc_stack.ss_sp = other_stack;
    inside.uc_stack.ss_size = sizeof other_stack;
    makecontext(&inside, is_inside ? coroutine : coroutine_left, 0);
    int result = deeper(depth, resume);
    if (!is_inside) { deeper(depth, outside_waits); deeper(depth, resume); }
    return result;
  }
  if (!strcmp(kind, "walked")) {
    walked = outside_text = 0;
    int result = deeper(depth, walks);
    return walked == depth + 1 ? result : -1;
  }
  if (!strcmp(kind, "interrupted")) {
    has_waited = 0;
    itimerval often = {{0, 300}, {0, 300}}, never = {};
    setitimer(ITIMER_PROF, &often, 0);
    int result = depth;
    while (!has_waited) try { throwing(depth); } catch (int n) { if (n != 7) result = -1; }
    setitimer(ITIMER_PROF, &never, 0);
    return result;
  }
  return -2;
}

static std::atomic<long> turns[THREADS + 1];
static void *work(void *argument) {
  long kind = (long)argument;
  sigset_t mine;
  sigemptyset(&mine);
  sigaddset(&mine, SIGPROF);
  pthread_sigmask(SIG_BLOCK, &mine, 0);
  for (;; turns[kind]++) {
    if (kind == 0 && deeper(300, 0) != 300) wrong++;
    if (kind == 1) try { throwing(20); wrong++; } catch (int n) { if (n != 7) wrong++; }
    if (kind == 2) { if (deeper(5, [] { usleep(500); }) != 5) wrong++; }
  }
}

int main() {
  nice(10);
  setbuf(stdout, 0);
  dl_iterate_phdr(find, 0);
  stack_t own = {own_stack, 0, sizeof own_stack};
  sigaltstack(&own, 0);
  struct sigaction action = {};
  action.sa_flags = SA_ONSTACK;
  action.sa_handler = handle;
  sigaction(SIGUSR1, &action, 0);
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  action.sa_sigaction = interrupt;
  sigaction(SIGPROF, &action, 0);
  pthread_t thread;
  for (long i = 0; i < THREADS; i++) pthread_create(&thread, 0, work, (void *)i);
  puts("ready");
  char line[64], kind[32];
  for (size_t n = 0; read(0, line + n, 1) == 1;) {
    if (line[n] != '\\n') { n++; continue; }
    line[n] = 0;
    n = 0;
    int depth = 0;
    if (sscanf(line, "%31s %d", kind, &depth) == 2) { int result = run(kind, depth); printf("%s %d\\n", kind, result); }
    else {
      long before[THREADS + 1];
      for (int i = 0; i < THREADS; i++) before[i] = turns[i];
      for (int i = 0; i < THREADS; i++) while (turns[i] < before[i] + 2) usleep(500);
      printf("%ld wrong\\n", wrong.load());
    }
  }
}`;

/** The ways down. */
export const KINDS = [
  'interrupted',
  'recursion',
  'destructors',
  'rethrown',
  'longjmp',
  'signal',
  'coroutine',
  'outside',
  'walked',
] as const;
/** The functions of the program that are traced. */
export const FUNCTIONS =
  'wait_here counted deeper leaves throwing again jumps handle raises leave in_turn resume outside_waits walks';
