/**
 * A program in C whose ten threads never stop: busy and sleeping ones, with recursion, longjmp, a coroutine, waits in the midst
 * of calls; timer signals reach all of them on stacks of their own. Each checks what its calls return. For each line, each thread
 * calls `counted` 1000 times; the program prints how many results were wrong so far, and what these calls have summed up to.
 */
export const NATIVE_PROGRAM = `
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define THREADS 10
#define CALLS 1000

static atomic_long wrong, sum;
static atomic_int turn, done;
static int pipes[2];

__attribute__((noinline)) static int counted(int x) { asm volatile(""); return x + 1; }
__attribute__((noinline)) static int deeper(int depth, void (*bottom)(void)) {
  if (depth == 0) { if (bottom) bottom(); return 0; }
  int result = deeper(depth - 1, bottom) + 1;
  asm volatile("");
  return result;
}
__attribute__((noinline)) static void check(int value, int expected) { if (value != expected) wrong++; }

static void nap(void) { nanosleep(&(struct timespec){0, 2000000}, 0); }
static void polls(void) { poll(0, 0, 3); }
static void waits(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  if ((end.tv_nsec += 2000000) >= 1000000000) end.tv_sec++, end.tv_nsec -= 1000000000;
  pthread_mutex_lock(&mutex);
  pthread_cond_timedwait(&never, &mutex, &end);
  pthread_mutex_unlock(&mutex);
}
static void reads(void) { char c; if (read(pipes[0], &c, 1) == 1 && c != 'x') wrong++; }
static void writes(void) { nap(); if (write(pipes[1], "x", 1) == 0) wrong++; }

static __thread jmp_buf back;
__attribute__((noinline)) static void jumps(void) { longjmp(back, 7); }
static void jump(void) {
  int value = setjmp(back);
  if (value == 0) { deeper(9, jumps); wrong++; }
  else check(value, 7);
}

static ucontext_t outside, inside;
static char stack[65536];
static void leave(void) { swapcontext(&inside, &outside); }
static void coroutine(void) { for (;;) check(deeper(12, leave), 12); }
static void resume(void) { swapcontext(&outside, &inside); }

static void handle(int signal) { check(deeper(3, 0), 3); (void)signal; }

static void work(int kind) {
  switch (kind) {
    case 0: for (int i = 0; i < 100; i++) check(deeper(8, 0), 8); break;
    case 1: for (int i = 0; i < 20; i++) jump(); break;
    case 2: check(deeper(500, 0), 500); break;
    case 3: for (int i = 0; i < 20; i++) check(deeper(5, resume), 5); nap(); break;
    case 4: check(deeper(6, nap), 6); break;
    case 5: check(deeper(7, polls), 7); break;
    case 6: check(deeper(8, waits), 8); break;
    case 7: check(deeper(9, reads), 9); break;
    case 8: check(deeper(10, writes), 10); break;
    default: nap();
  }
}

static void *run(void *argument) {
  int kind = (int)(long)argument, seen = 0;
  stack_t own = {.ss_sp = malloc(65536), .ss_size = 65536};
  sigaltstack(&own, 0);
  for (;;) {
    work(kind);
    int now = turn;
    if (now == seen) continue;
    seen = now;
    long part = 0;
    for (int i = 0; i < CALLS; i++) part += counted(i);
    sum += part;
    done++;
  }
}

int main(void) {
  nice(10);
  setbuf(stdout, 0);
  if (pipe(pipes)) return 1;
  getcontext(&inside);
  inside.uc_stack.ss_sp = stack;
  inside.uc_stack.ss_size = sizeof stack;
  makecontext(&inside, coroutine, 0);
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK | SA_RESTART};
  sigaction(SIGALRM, &action, 0);
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, run, (void *)i);
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM}, &timer);
  timer_settime(timer, 0, &(struct itimerspec){{0, 3000000}, {0, 3000000}}, 0);
  puts("ready");
  for (int c; (c = getchar()) != EOF;) {
    if (c != '\\n') continue;
    done = 0;
    sum = 0;
    turn++;
    while (done < THREADS) nap();
    printf("%ld wrong, %ld\\n", wrong, sum);
  }
}`;

/** How often `counted` is called for a line, and what the program prints while all results are right. */
export const COUNTED = 10_000;
export const ALL_RIGHT = `0 wrong, ${10 * ((1000 * 1001) / 2)}`;
