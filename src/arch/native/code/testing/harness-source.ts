/**
 * C code that is linked with a program of a test, and does at its start what fentry's host does from outside: it maps code, arena and rings
 * where the test has put them, and changes the sites. At the end it writes the arena to a file.
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
static size_t arena_bytes;
static size_t block_bytes, blocks_at, blocks;
static pid_t owner;
static volatile int ended;

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

/* Tells each block where its thread's own stack is. */
static void *host(void *unused) {
  while (!ended) {
    for (size_t i = 0; i < blocks; i++) {
      uint64_t *block = (uint64_t *)(arena + blocks_at + i * block_bytes);
      if (block[0] == 0 || block[3] != 0) continue;
      uint64_t high = *(uint32_t *)&block[1] == (uint32_t)owner ? (uint64_t)__builtin_frame_address(0) : block[0];
      if (*(uint32_t *)&block[1] == (uint32_t)owner) {
        extern char **environ;
        high = ((uint64_t)environ | 0xfff) + 1;
      }
      block[2] = high - (7 << 20);
      block[3] = high;
    }
    usleep(200);
  }
  return unused;
}

static void save(void) {
  if (getpid() != owner) return;
  ended = 1;
  int fd = file("arena.out", O_RDWR | O_CREAT | O_TRUNC);
  for (size_t done = 0; done < arena_bytes;) {
    ssize_t n = write(fd, arena + done, arena_bytes - done);
    if (n <= 0) { perror("arena.out"); _exit(99); }
    done += n;
  }
  close(fd);
}

__attribute__((constructor)) static void attach(void) {
  folder = getenv("NATIVE_TEST");
  if (!folder) return;
  owner = getpid();
  uint64_t plan[8];
  int fd = file("plan", O_RDONLY);
  if (read(fd, plan, sizeof plan) != sizeof plan) _exit(99);
  map("code", plan[0], PROT_READ | PROT_EXEC, MAP_PRIVATE);
  map("rings", plan[1], PROT_READ | PROT_WRITE, MAP_SHARED);
  arena_bytes = plan[3];
  arena = mmap((void *)plan[2], arena_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  int image = file("arena", O_RDONLY);
  for (size_t done = 0; done < arena_bytes;) {
    ssize_t n = read(image, arena + done, arena_bytes - done);
    if (n <= 0) break;
    done += n;
  }
  close(image);
  if (madvise(arena, 4096, 18) != 0) { perror("MADV_WIPEONFORK"); _exit(99); }
  blocks_at = plan[4];
  block_bytes = plan[5];
  blocks = plan[6];
  if (plan[7] && __register_frame) __register_frame((void *)plan[7]);
  pthread_t thread;
  pthread_create(&thread, 0, host, 0);
  pthread_detach(thread);
  atexit(save);
  struct { uint64_t address, length; } change;
  while (read(fd, &change, sizeof change) == sizeof change) {
    char bytes[64];
    if (read(fd, bytes, change.length) != (ssize_t)change.length) _exit(99);
    char *page = (char *)(change.address & ~0xfffULL);
    if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) { perror("mprotect"); _exit(99); }
    memcpy((void *)change.address, bytes, change.length);
  }
  close(fd);
}
`;
