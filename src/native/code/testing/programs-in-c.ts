/** Programs whose output must be the same traced and not. */

/** 16 threads; prints how many calls they made. */
export const THREADS = `
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static _Thread_local long calls;
static long total;
__attribute__((noinline)) int fib(int n) {
  calls++;
  int r = n < 2 ? n : fib(n - 1) + fib(n - 2);
  /* Or the compiler makes a loop of the second call. */
  __asm__ volatile("" : "+r"(r));
  return r;
}
__attribute__((noinline)) void *work(void *arg) {
  calls++;
  int sum = 0;
  for (int i = 0; i < (int)(long)arg; i++) sum += fib(i % 14);
  __atomic_add_fetch(&total, calls, __ATOMIC_SEQ_CST);
  return (void *)(long)sum;
}
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  long sum = 0;
  pthread_t threads[16];
  for (int i = 0; i < 16; i++) pthread_create(&threads[i], 0, work, (void *)(long)(rounds + i));
  for (int i = 0; i < 16; i++) { void *result; pthread_join(threads[i], &result); sum += (long)result; }
  printf("%ld %ld\\n", sum, total + 1);
  return 0;
}
`;

/** Exceptions through 20 frames, caught half-way, thrown again, of several threads. */
export const EXCEPTIONS = `
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct Guard { int &count; Guard(int &c) : count(c) {} ~Guard() { count++; } };
static thread_local int destroyed;
__attribute__((noinline)) int deep(int n, int what) {
  Guard guard(destroyed);
  if (n == 0) { if (what) throw std::runtime_error("at the bottom"); return 1; }
  return deep(n - 1, what) + 1;
}
__attribute__((noinline)) int rethrows(int n) {
  try { return deep(n, 1); } catch (std::exception &) { deep(3, 0); throw; }
}
__attribute__((noinline)) int catches(int n) {
  try { return rethrows(n); } catch (std::runtime_error &error) { return std::string(error.what()).size() + deep(n, 0); }
}
__attribute__((noinline)) std::string rounds() {
  int sum = 0;
  destroyed = 0;
  for (int i = 0; i < 50; i++) sum += catches(20);
  try { throw 1; } catch (int x) { sum += x; }
  return std::to_string(sum) + " " + std::to_string(destroyed);
}
int main() {
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (auto &result : results) threads.emplace_back([&result] { result = rounds(); });
  for (auto &thread : threads) thread.join();
  for (auto &result : results) printf("%s\\n", result.c_str());
  printf("%s\\n", rounds().c_str());
  return 0;
}
`;

/** longjmp over frames; siglongjmp from a handler; signals at 5 kHz that call functions. */
export const JUMPS = `
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
static jmp_buf out;
static sigjmp_buf left;
static volatile sig_atomic_t ticks, may_leave, lefts;
__attribute__((noinline)) int down(int n) { if (n == 0) longjmp(out, 7); return down(n - 1) + 1; }
__attribute__((noinline)) int up(int n) { return n == 0 ? 0 : up(n - 1) + 1; }
__attribute__((noinline)) int jumps(int n) { int code = setjmp(out); if (code) return code + up(n); return down(n); }
__attribute__((noinline)) void leave(void) { if (may_leave) { lefts++; siglongjmp(left, 1); } }
__attribute__((noinline)) void handler(int signal) { (void)signal; ticks++; up(3); leave(); }
__attribute__((noinline)) int until_left(void) {
  may_leave = 0;
  if (sigsetjmp(left, 1)) { may_leave = 0; return 1; }
  may_leave = 1;
  for (;;) up(5);
}
int main(int argc, char **argv) {
  int seconds = 1, wanted = argc > 1 ? atoi(argv[1]) : 300;
  int sum = 0;
  ticks = lefts = 0;
  for (int i = 0; i < 1000; i++) sum += jumps(i % 30);
  printf("%d\\n", sum);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(SIGALRM, &action, 0);
  struct itimerval timer = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &timer, 0);
  sum = 0;
  while (ticks < wanted) { sum = 0; for (int i = 0; i < 100; i++) sum += up(i) + jumps(i); }
  printf("%d\\n", sum);
  for (int i = 0; i < wanted; i++) sum += until_left();
  may_leave = 0;
  memset(&timer, 0, sizeof timer);
  setitimer(ITIMER_REAL, &timer, 0);
  printf("%d %d\\n", sum, lefts >= wanted);
  sum = 0;
  for (int i = 0; i < 1000; i++) sum += jumps(i % 30);
  printf("%d\\n", sum);
  return seconds - 1;
}
`;

/** Coroutines that take turns, in the midst of recursion. */
export const COROUTINES = `
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#define N 8
static ucontext_t contexts[N], back;
static int current, sums[N], done;
__attribute__((noinline)) void turn(void) { swapcontext(&contexts[current], &back); }
__attribute__((noinline)) int walk(int n) { if (n % 3 == 0) turn(); int r = n == 0 ? 0 : walk(n - 1) + n; if (n % 5 == 0) turn(); return r; }
__attribute__((noinline)) void body(void) { for (int i = 0; i < 20; i++) sums[current] += walk(10 + current); done++; }
__attribute__((noinline)) int schedule(int i) { current = i % N; return swapcontext(&back, &contexts[current]); }
int main(void) {
  done = 0;
  for (int i = 0; i < N; i++) {
    sums[i] = 0;
    getcontext(&contexts[i]);
    contexts[i].uc_stack.ss_sp = malloc(65536);
    contexts[i].uc_stack.ss_size = 65536;
    contexts[i].uc_link = &back;
    makecontext(&contexts[i], body, 0);
  }
  int turns = 0, ended[N] = {0};
  for (int i = 0; done < N; i++) {
    if (ended[i % N]) continue;
    int before = done;
    schedule(i);
    if (done > before) ended[i % N] = 1;
    turns++;
  }
  printf("%d", turns);
  for (int i = 0; i < N; i++) printf(" %d", sums[i]);
  printf("\\n");
  return 0;
}
`;

/** fork in the midst of a recursion: both processes return from it; vfork and exec; threads that end by pthread_exit. */
export const PROCESSES = `
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int child;
__attribute__((noinline)) int splits(int n) {
  if (n == 0) { fflush(stdout); child = fork(); return 0; }
  int r = splits(n - 1);
  return r + 1;
}
__attribute__((noinline)) void exits(int n) { if (n == 0) pthread_exit((void *)42); exits(n - 1); __asm__ volatile(""); }
__attribute__((noinline)) void cleanup(void *arg) { (*(int *)arg)++; }
__attribute__((noinline)) void *thread(void *arg) {
  pthread_cleanup_push(cleanup, arg);
  exits(10);
  pthread_cleanup_pop(0);
  return 0;
}
__attribute__((noinline)) int runs(void) {
  fflush(stdout);
  pid_t pid = vfork();
  if (pid == 0) { execl("/bin/echo", "echo", "from exec", (char *)0); _exit(1); }
  int status;
  waitpid(pid, &status, 0);
  return status;
}
int main(void) {
  int r = splits(25);
  if (child == 0) { int s = 0; for (int i = 0; i < 100; i++) { child = 1; s += r; } printf("child %d\\n", s); fflush(stdout); _exit(3); }
  int status;
  waitpid(child, &status, 0);
  printf("parent %d, child ended with %d\\n", r, WEXITSTATUS(status));
  int cleaned = 0;
  for (int i = 0; i < 40; i++) {
    pthread_t id;
    void *result;
    pthread_create(&id, 0, thread, &cleaned);
    pthread_join(id, &result);
    if ((long)result != 42) printf("result %ld\\n", (long)result);
  }
  printf("cleaned %d\\n", cleaned);
  printf("exec %d\\n", runs());
  return 0;
}
`;

/**
 * Exceptions that signal handlers throw, which pass through what the signal has interrupted; and how many calls of it a handler
 * sees.
 */
export const HANDLERS = `
#include <csignal>
#include <cstdio>
#include <cstdint>
#include <unwind.h>
__attribute__((noinline)) int leaf(int x) { asm volatile(""); return x; }
__attribute__((noinline)) int faults(int n) {
  if (leaf(n) == 0) return *(volatile int *)0;
  int r = faults(n - 1);
  asm volatile("");
  return r + 1;
}
static int seen;
static _Unwind_Reason_Code look(_Unwind_Context *context, void *) {
  // What is said of a function may begin behind its NOPs, or before.
  seen += _Unwind_GetRegionStart(context) + 16 - (uintptr_t)faults < 48;
  return _URC_NO_REASON;
}
__attribute__((noinline)) void handle(int) {
  _Unwind_Backtrace(look, 0);
  throw 7;
}
__attribute__((noinline)) int catches(int n) {
  try { return faults(n); } catch (int thrown) { return thrown; }
}
int main() {
  struct sigaction action = {};
  action.sa_handler = handle;
  action.sa_flags = SA_NODEFER;
  sigaction(SIGSEGV, &action, 0);
  int sum = seen = 0;
  for (int i = 0; i < 20; i++) sum += catches(i);
  printf("%d %d\\n", sum, seen);
  return 0;
}
`;

/**
 * Threads that are cancelled in the midst of a recursion: while they wait, and while they run. Each call has something to clean
 * up.
 */
export const CANCELS = `
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int ends[2];
static int calls;
__attribute__((noinline)) void cleanup(void *cleaned) { ++*(int *)cleaned; }
__attribute__((noinline)) int waits(int n, int *cleaned) {
  int r = 0;
  char byte;
  pthread_cleanup_push(cleanup, cleaned);
  r = n == 0 ? (int)read(ends[0], &byte, 1) : waits(n - 1, cleaned) + 1;
  pthread_cleanup_pop(0);
  return r;
}
__attribute__((noinline)) int spins(int n, int *cleaned) {
  int r = 0;
  pthread_cleanup_push(cleanup, cleaned);
  if (n == 0) for (;;) { __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST); pthread_testcancel(); }
  r = spins(n - 1, cleaned) + 1;
  pthread_cleanup_pop(0);
  return r;
}
static void *waiter(void *cleaned) { calls++; return (void *)(long)waits(10, cleaned); }
static void *spinner(void *cleaned) { return (void *)(long)spins(10, cleaned); }
int main(void) {
  int cleaned = 0, cancelled = 0;
  if (pipe(ends) != 0) return 1;
  for (int i = 0; i < 30; i++) {
    pthread_t thread;
    void *result;
    __atomic_store_n(&calls, 0, __ATOMIC_SEQ_CST);
    pthread_create(&thread, 0, i & 1 ? spinner : waiter, &cleaned);
    while (__atomic_load_n(&calls, __ATOMIC_SEQ_CST) == 0) usleep(100);
    if (!(i & 1)) usleep(2000);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    cancelled += result == PTHREAD_CANCELED;
  }
  printf("%d %d\\n", cleaned > 200, cancelled);
  return 0;
}
`;

/** Values that calls take and return in all kinds of registers, and tail calls. */
export const VALUES = `
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>
#define NI __attribute__((noinline))
struct big { long a[9]; };
struct pair { double x; long y; };
struct mixed { float a, b, c, d; };
NI long sum(int n, ...) { va_list list; va_start(list, n); long s = 0; double d = 0;
  for (int i = 0; i < n; i++) { if (i % 2) d += va_arg(list, double); else s += va_arg(list, long); } va_end(list); return s + (long)d; }
NI struct big fill(int x) { struct big b; for (int i = 0; i < 9; i++) b.a[i] = x * i; return b; }
NI struct pair both(double x, long y) { struct pair p = {x * 2, y * 3}; return p; }
NI struct mixed four(float x) { struct mixed m = {x, x + 1, x + 2, x + 3}; return m; }
NI long double longer(long double x, long double y) { return x * y + 1; }
NI double complex turn(double complex z) { return z * I; }
NI __int128 wide(__int128 x) { return x * 3; }
#ifdef __x86_64__
#include <immintrin.h>
NI __attribute__((target("avx"))) __m256d vectors(__m256d a, __m256d b) { return _mm256_add_pd(a, b); }
NI __attribute__((target("avx"))) double use(double x) {
  __m256d v = vectors(_mm256_set_pd(x, x + 1, x + 2, x + 3), _mm256_set1_pd(0.5));
  double out[4]; _mm256_storeu_pd(out, v); return out[0] + 10 * out[1] + 100 * out[2] + 1000 * out[3]; }
#else
/* Vectors of the machine, all eight registers of arguments. */
typedef double wide_vector __attribute__((vector_size(16)));
NI wide_vector vectors(wide_vector a, wide_vector b, wide_vector c, wide_vector d, wide_vector e, wide_vector f, wide_vector g, wide_vector h) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h; }
NI double use(double x) {
  wide_vector v = {x, x + 1};
  wide_vector sum = vectors(v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7);
  return sum[0] + 1000 * sum[1]; }
#define __builtin_cpu_supports(name) 1
#endif
NI long many(long a, long b, long c, long d, long e, long f, long g, long h, double i, double j) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + (long)(9 * i + 10 * j); }
NI int odd(int n);
NI int even(int n) { return n == 0 ? 1 : odd(n - 1); }
NI int odd(int n) { return n == 0 ? 0 : even(n - 1); }
NI int nested(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(5); }
int main(void) {
  printf("%ld\\n", sum(6, 1L, 2.5, 3L, 4.5, 5L, 6.5));
  struct big b = fill(7); printf("%ld %ld\\n", b.a[1], b.a[8]);
  struct pair p = both(1.25, 14); printf("%g %ld\\n", p.x, p.y);
  struct mixed m = four(1.5f); printf("%g %g %g %g\\n", m.a, m.b, m.c, m.d);
  printf("%.18Lg\\n", longer(1.1L, 3.3L));
  double complex z = turn(1 + 2 * I); printf("%g %g\\n", creal(z), cimag(z));
  __int128 w = wide(((__int128)1 << 100) + 5); printf("%lx %lx\\n", (long)(w >> 64), (long)w);
  if (__builtin_cpu_supports("avx")) printf("%g\\n", use(2));
  printf("%ld\\n", many(1, 2, 3, 4, 5, 6, 7, 8, 9.5, 10.5));
  printf("%d %d\\n", even(100000), odd(77777));
  printf("%d\\n", nested(37));
  return 0;
}
`;

/**
 * Functions that end in a jump to another one: three in a row; a loop of jumps; left by longjmp and by an exception, in the midst
 * and at the end of such a row; in signal handlers; and in coroutines that take turns. Prints how many calls of the functions NI
 * there were.
 */
export const JUMPED = `
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <ucontext.h>
#define NI __attribute__((noinline))
static volatile int calls, throws, jumps;
static jmp_buf left;
static ucontext_t inside, outside;
NI int last(int x) {
  calls++;
  if (throws && x % 7 == 0) throw x;
  if (jumps && x % 5 == 0) longjmp(left, 1);
  return x + 1;
}
NI int middle(int x) { calls++; if (x & 1) last(x * 10 + 1); return last(x); }
NI int first(int x) { calls++; return middle(x + 2); }
NI int odd(int n);
NI int even(int n) { calls++; return n == 0 ? 1 : odd(n - 1); }
NI int odd(int n) { calls++; return n == 0 ? 0 : even(n - 1); }
NI int catching(int x) { calls++; int r; try { r = first(x) + 1; } catch (int n) { r = -n; } return r; }
NI int leaving(int x) { calls++; volatile int r = -1; if (!setjmp(left)) r = first(x) + 1; return r; }
NI void onSignal(int n) { calls++; first(n); }
NI void take(void) { calls++; swapcontext(&inside, &outside); }
NI void turn(void) { calls++; take(); }
static void body(void) { calls++; for (int i = 0; i < 19; i++) { turn(); first(3); } }
NI void resume(void) { calls++; swapcontext(&outside, &inside); }
NI void resumed(void) { calls++; resume(); }
int main() {
  calls = 1;
  static char stack[65536];
  long sum = 0;
  for (int i = 0; i < 40; i++) sum += first(i) + even(i);
  sum += even(5000) + odd(4999);
  throws = 1;
  for (int i = 0; i < 40; i++) sum += catching(i);
  throws = 0, jumps = 1;
  for (int i = 0; i < 40; i++) sum += leaving(i);
  jumps = 0;
  signal(SIGUSR1, onSignal);
  for (int i = 0; i < 3; i++) raise(SIGUSR1);
  getcontext(&inside);
  inside.uc_stack.ss_sp = stack;
  inside.uc_stack.ss_size = sizeof stack;
  inside.uc_link = &outside;
  makecontext(&inside, body, 0);
  for (int i = 0; i < 20; i++) resumed();
  sum += first(100);
  printf("%d %ld\\n", calls, sum);
  return 0;
}
`;

/** Stacks within the main thread's own stack: of signal handlers, and of coroutines. */
export const STACKS_IN_STACK = `
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
static ucontext_t inside, outside;
static int ticks;
__attribute__((noinline)) int up(int n) { int r = n == 0 ? 0 : up(n - 1) + 1; __asm__ volatile(""); return r; }
__attribute__((noinline)) void handler(int signal) { (void)signal; ticks += up(5); }
__attribute__((noinline)) void body(void) { for (;;) { ticks += up(7); swapcontext(&inside, &outside); } }
__attribute__((noinline)) int sink(int n) {
  int r;
  if (n == 0) { raise(SIGUSR1); swapcontext(&outside, &inside); r = 0; } else r = sink(n - 1) + 1;
  __asm__ volatile("");
  return r;
}
__attribute__((noinline)) int start(char *lower) {
  char memory[65536];
  stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
  sigaltstack(&stack, 0);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, 0);
  getcontext(&inside);
  inside.uc_stack.ss_sp = lower;
  inside.uc_stack.ss_size = 65536;
  makecontext(&inside, body, 0);
  int sum = 0;
  for (int i = 0; i < 30; i++) sum += sink(i);
  return sum;
}
int main(void) {
  char memory[65536];
  ticks = 0;
  int sum = start(memory);
  printf("%d %d\\n", sum, ticks);
  return 0;
}
`;

/**
 * Stacks that are left in the midst of calls: of a coroutine that is never resumed, below whose frames another one's end; by
 * siglongjmp from a handler on its own stack, out of so many calls that the shadow stack is full; and out of a stack that has
 * overflowed, at every place in a call where that can be.
 */
export const LEFT_STACKS = `
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#define NI __attribute__((noinline))
#define KEEP __asm__ volatile("")
static ucontext_t contexts[2], outside;
static __thread sigjmp_buf out;
static long leaves, downs, hits, wrong;
NI int walk(int n) { int r; if (n == 0) { swapcontext(&contexts[0], &outside); r = 0; } else r = walk(n - 1) + 1; KEEP; return r; }
NI int stay(int n) { int r; if (n == 0) { swapcontext(&contexts[1], &outside); r = 0; } else r = stay(n - 1) + 1; KEEP; return r; }
NI void walker(void) { leaves += walk(60); swapcontext(&contexts[0], &outside); }
NI void stayer(void) { leaves += stay(5); }
NI void resume(int i) { swapcontext(&outside, &contexts[i]); KEEP; }
NI long down(long n) { downs++; long r = n == 0 ? raise(SIGUSR1) : down(n - 1) + 2; KEEP; downs--; return r; }
NI long up(long n) { leaves++; long r = n == 0 ? 7 : up(n - 1) + 3; KEEP; leaves--; return r; }
NI void handler(int s) { if (s == SIGSEGV) hits += up(3) == 16; siglongjmp(out, 1); }
NI long sink(long n) { volatile char b[4096]; b[0] = n; long r = sink(n + 1); b[1] = b[0]; return r + 1; }
NI void padded(int bytes) { volatile char *p = alloca(bytes); p[0] = 1; sink(0); p[0] = 2; }
static void handle(void) {
  stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
  sigaltstack(&stack, 0);
}
static void *overflows(void *unused) {
  handle();
  for (volatile int bytes = 16; bytes < 4400; bytes += 16) {
    if (!sigsetjmp(out, 1)) padded(bytes);
    wrong += up(20) != 67;
  }
  return unused;
}
int main(void) {
  void (*bodies[2])(void) = {walker, stayer};
  leaves = downs = hits = wrong = 0;
  for (int i = 0; i < 2; i++) {
    getcontext(&contexts[i]);
    contexts[i].uc_stack.ss_sp = malloc(65536);
    contexts[i].uc_stack.ss_size = 65536;
    contexts[i].uc_link = &outside;
    makecontext(&contexts[i], bodies[i], 0);
  }
  resume(0);
  resume(1);
  resume(0);
  handle();
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, 0);
  sigaction(SIGSEGV, &action, 0);
  volatile long sum = 0;
  for (volatile int i = 0; i < 3; i++) {
    if (!sigsetjmp(out, 1)) sum += down(4000 + i * 10); else sum += downs;
    for (volatile long n = 0; n < 100; n++) sum = sum * 3 + up(n);
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 131072);
  pthread_t thread;
  pthread_create(&thread, &attributes, overflows, 0);
  pthread_join(thread, 0);
  printf("%ld %ld %ld %ld %ld\\n", sum, leaves, downs, hits, wrong);
  return 0;
}
`;

/**
 * Runs calls instruction by instruction, and leaves them by siglongjmp at each of their steps in turn. With the address of a
 * word: at each of those during which it is not 0. Prints how many calls were not left, and how many were.
 */
export const STEPS = `
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#define NO __attribute__((noinline, patchable_function_entry(0)))
static sigjmp_buf left;
static volatile int *word;
static volatile long step, at, calls;
static volatile long *position, *end;
__attribute__((noinline)) int leaf(int x) { calls++; __asm__ volatile(""); return x + 1; }
__attribute__((noinline)) int middle(int x) { int r = leaf(x); calls++; __asm__ volatile(""); return r; }
NO static void stepped(int signal, siginfo_t *info, void *context) {
  (void)signal; (void)info; (void)context;
  if (word && *word == 0) return;
  if (++step == at) siglongjmp(left, 1);
}
NO static void trap(int on) {
  if (on) __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
  else __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
}
NO static int turn(int rounds) {
  if (sigsetjmp(left, 1)) return 1;
  /* Near the end of a page, where that matters. */
  if (position) while (*end - *position > 120) middle(0);
  trap(1);
  for (int i = 0; i < rounds; i++) middle(i);
  trap(0);
  return 0;
}
NO int main(int argc, char **argv) {
  word = argc > 1 ? (volatile int *)strtoul(argv[1], 0, 0) : 0;
  int rounds = argc > 2 ? atoi(argv[2]) : 1, most = 100000;
  if (argc > 4) { position = (volatile long *)strtoul(argv[3], 0, 0); end = (volatile long *)strtoul(argv[4], 0, 0); }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = stepped;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, 0);
  long lefts = 0;
  /* Each instruction of a turn; fewer of those by which the page is read again, which are many. */
  for (at = 1; at <= most; at += 1 + at / 512) { step = 0; if (!turn(rounds)) break; lefts++; }
  for (int i = 0; i < 500; i++) middle(i);
  printf("%ld %ld\\n", calls, lefts);
  return 0;
}
`;

/**
 * A callback that registers itself, and one that keeps its own code's address: how often each was called, and whether the
 * addresses are theirs.
 */
export const OWN_ADDRESSES = `
#include <stdio.h>
#define NO __attribute__((noipa))
typedef void (*callback)(int);
callback kept;
long calls;
NO void keep(callback one) { kept = one; }
NO void handler(int n) { keep(handler); (void)n; }
NO callback own(void) { return (callback)own; }
NO long sum(long n) { return n < 2 ? n : sum(n - 1) + sum(n - 2); }
int main(void) {
  kept = handler;
  callback first = own(), again = ((callback (*)(void))first)();
  for (int i = 0; i < 10; i++) kept(i);
  printf("%d %d %d %ld\\n", kept == handler, first == (callback)own, first == again, sum(12));
  return 0;
}
`;
