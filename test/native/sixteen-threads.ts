/**
 * A program in C. For each line: sixteen threads call `middle` so many times each, which calls `leaf` twice; the sum of what they
 * return.
 */
export const sixteenThreads = (calls: number): string => `
#include <pthread.h>
#include <stdio.h>
__attribute__((noinline)) int leaf(int x) { asm volatile(""); return x + 1; }
__attribute__((noinline)) int middle(int x) { asm volatile(""); return leaf(x) + leaf(x + 1); }
static void *worker(void *none) {
  long sum = 0;
  for (int i = 0; i < ${calls}; i++) sum += middle(i);
  return (void *)sum;
}
int main(void) {
  setbuf(stdout, 0);
  puts("ready");
  while (getchar() != EOF) {
    pthread_t threads[16];
    long sum = 0;
    for (int i = 0; i < 16; i++) pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 16; i++) {
      void *result;
      pthread_join(threads[i], &result);
      sum += (long)result;
    }
    printf("%ld\\n", sum);
  }
}`;
