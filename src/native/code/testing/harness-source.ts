/**
 * C code that is linked with a program of a test, and does at its start what fentry's host does from outside: it maps code, arena
 * and rings where the test has put them, and changes the sites. At the end it writes the arena to a file.
 */
export const HARNESS = `
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern void __register_frame(void *) __attribute__((weak));

static const char *folder;
static char *arena;
static size_t arena_bytes, hole_start, hole_end;
static pid_t owner;

static int file(const char *name, int flags) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int fd = open(path, flags, 0600);
  if (fd < 0) { perror(path); _exit(99); }
  return fd;
}

static void *map(const char *name, uint64_t at, int prot, int flags) {
  int fd = file(name, O_RDWR);
  struct stat st;
  fstat(fd, &st);
  void *p = mmap((void *)at, st.st_size, prot, flags | MAP_FIXED, fd, 0);
  if (p == MAP_FAILED) { perror(name); _exit(99); }
  close(fd);
  return p;
}

/* Moves the arena but for a part that stays empty. */
static void transfer(int fd, ssize_t (*move)(int, void *, size_t, off_t)) {
  for (size_t at = 0; at < arena_bytes;) {
    if (at == hole_start) at = hole_end;
    ssize_t n = move(fd, arena + at, (at < hole_start ? hole_start : arena_bytes) - at, at);
    if (n <= 0) { perror("arena"); _exit(99); }
    at += n;
  }
}

static void save(void) {
  if (getpid() != owner) return;
  int fd = file("arena.out", O_RDWR | O_CREAT | O_TRUNC);
  if (ftruncate(fd, arena_bytes) != 0) _exit(99);
  transfer(fd, (ssize_t (*)(int, void *, size_t, off_t))pwrite);
  close(fd);
}

static struct change { uint64_t address, length; char armed[64], idle[64]; } changes[256];
static int count;
static volatile int ended;

static void set(struct change *one, int armed) {
  const char *bytes = armed ? one->armed : one->idle;
  for (uint64_t at = 0; at < one->length; at += 4)
    __atomic_store_n((uint32_t *)(one->address + at), *(const uint32_t *)(bytes + at), __ATOMIC_RELAXED);
  __builtin___clear_cache((char *)one->address, (char *)one->address + one->length);
}

/* Arms and disarms all sites while the program runs, as the host does without a stop: a site is one instruction that changes. */
static void *toggle(void *unused) {
  while (!ended) {
    for (int i = 0; i < count; i++) set(&changes[i], 1);
    usleep(3000);
    for (int i = 0; i < count; i++) set(&changes[i], 0);
    usleep(1000);
  }
  return unused;
}

static pthread_t toggler;
static void end(void) {
  ended = 1;
  pthread_join(toggler, 0);
}

__attribute__((constructor)) static void attach(void) {
  folder = getenv("NATIVE_TEST");
  if (!folder) return;
  owner = getpid();
  uint64_t plan[11];
  int fd = file("plan", O_RDONLY);
  if (read(fd, plan, sizeof plan) != sizeof plan) _exit(99);
  map("code", plan[0], PROT_READ | PROT_EXEC, MAP_PRIVATE);
  map("rings", plan[1], PROT_READ | PROT_WRITE, MAP_SHARED);
  arena_bytes = plan[3];
  arena = mmap((void *)plan[2], arena_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  int image = file("arena", O_RDONLY);
  hole_start = plan[8], hole_end = plan[9];
  transfer(image, pread);
  close(image);
  if (madvise(arena, 4096, 18) != 0) { perror("MADV_WIPEONFORK"); _exit(99); }
  if (plan[4] && __register_frame) __register_frame((void *)plan[4]);
  extern char **environ;
  uint64_t high = ((uint64_t)environ | 0xfff) + 1;
  *(uint32_t *)(arena + plan[5]) = getpid();
  *(uint64_t *)(arena + plan[6]) = high - (7 << 20);
  *(uint64_t *)(arena + plan[7]) = high;
  atexit(save);
  struct change *change = changes;
  for (; read(fd, change, 16) == 16; change = &changes[++count]) {
    if (count == 255 || read(fd, change->armed, change->length) != (ssize_t)change->length) _exit(99);
    if (read(fd, change->idle, change->length) != (ssize_t)change->length) _exit(99);
    char *page = (char *)(change->address & ~0xfffULL);
    if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) { perror("mprotect"); _exit(99); }
    memcpy((void *)change->address, plan[10] ? change->idle : change->armed, change->length);
    __builtin___clear_cache((char *)change->address, (char *)change->address + change->length);
  }
  close(fd);
  if (plan[10]) {
    if (pthread_create(&toggler, 0, toggle, 0) != 0) _exit(99);
    atexit(end);
  }
}
`;
