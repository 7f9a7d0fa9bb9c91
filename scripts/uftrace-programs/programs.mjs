/** Programs whose graphs are compared. Each ends by itself and has one thread. `known`: why their trees may differ. */
export const PROGRAMS = [
  {
    name: 'tail-calls',
    source: `volatile int x;
void work(int n) { for (int i = 0; i < n; i++) x += i; }
int respond(int n) { work(n); work(n); return x; }
int request(int n) { work(1); return respond(n * 1000); }
int main(void) { return request(3) == 1; }`,
  },
  {
    name: 'recursion',
    source: `int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { return fib(12) != 144; }`,
  },
  {
    name: 'mutual-jumps',
    source: `int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int main(void) { return even(20) - 1; }`,
  },
  {
    name: 'callbacks',
    source: `#include <stdlib.h>
int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) { int all[40]; for (int i = 0; i < 40; i++) all[i] = i * 7919 % 41; qsort(all, 40, sizeof *all, order); return all[0] > all[1]; }`,
  },
  {
    name: 'pointers',
    source: `int one(int x) { return x + 1; } int two(int x) { return one(x) * 2; } int three(int x) { return two(x); }
int (*volatile table[])(int) = {one, two, three};
int apply(int n, int x) { return table[n](x); }
int main(void) { int sum = 0; for (int i = 0; i < 30; i++) sum += apply(i % 3, i); return sum == 1; }`,
  },
  {
    name: 'varargs',
    source: `#include <stdarg.h>
int last(int x) { return x; }
int sum(int n, ...) { va_list all; va_start(all, n); int total = 0; while (n-- > 0) total += last(va_arg(all, int)); va_end(all); return total; }
int main(void) { return sum(3, 1, 2, 3) + sum(1, 4) - 10; }`,
  },
  {
    name: 'tree',
    source: `#include <stdlib.h>
struct node { struct node *left, *right; int value; };
struct node *add(struct node *at, int value) {
  if (!at) { at = calloc(1, sizeof *at); at->value = value; return at; }
  if (value < at->value) at->left = add(at->left, value); else at->right = add(at->right, value);
  return at;
}
int depth(struct node *at) { if (!at) return 0; int l = depth(at->left), r = depth(at->right); return 1 + (l > r ? l : r); }
void drop(struct node *at) { if (!at) return; drop(at->left); drop(at->right); free(at); }
int main(void) { struct node *root = 0; for (int i = 0; i < 50; i++) root = add(root, i * 37 % 51); int d = depth(root); drop(root); return d == 0; }`,
  },
  {
    name: 'signals',
    source: `#include <signal.h>
volatile int hits; void inside(int n) { hits += n; } void handler(int n) { inside(n); }
int raises(int n) { raise(n); return hits; }
int main(void) { signal(SIGUSR1, handler); int sum = 0; for (int i = 0; i < 5; i++) sum += raises(SIGUSR1); return sum == 0; }`,
  },
  {
    name: 'longjmp',
    source: `#include <setjmp.h>
jmp_buf left; int after(int x) { return x + 1; }
void deep(int n) { if (n == 0) longjmp(left, 1); deep(n - 1); __asm__ volatile(""); }
int tries(int n) { if (!setjmp(left)) deep(n); return after(n); }
int main(void) { int sum = 0; for (int i = 0; i < 5; i++) sum += tries(i); return sum == 0; }`,
  },
  {
    name: 'exceptions',
    language: 'c++',
    source: `int after(int x) { return x + 1; }
int thrower(int n) { if (n == 0) throw 7; int r = thrower(n - 1); asm volatile(""); return r; }
int catcher(int n) { int r; try { r = thrower(n); } catch (int x) { r = after(x); } return r + 1; }
int main() { int sum = 0; for (int i = 0; i < 5; i++) sum += catcher(i); return sum == 0; }`,
  },
];
