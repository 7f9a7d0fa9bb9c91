import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lacks, noCompiler, traced } from './native-machine.js';

/** For each line: a method of an overloaded name, an instance of a template, a lambda, and a method that is inlined. */
const SHOP = `#include <cstdio>
#include <cstring>
#include <string>
namespace shop {
struct Named { const char *name = "ann"; long hits = 3; };
class Customer : public Named {
 public:
  explicit Customer(int level) : level_(level) {}
  long visits(int more);
  long visits(const char *text);
  __attribute__((always_inline)) long doubled(int by) { asm volatile("" : "+r"(by)); return by * level_; }
  static int count;
  int level_;
};
int Customer::count = 41;
__attribute__((noinline)) long Customer::visits(int more) {
  asm volatile("" : "+m"(count));
  return hits + more;
}
__attribute__((noinline)) long Customer::visits(const char *text) {
  asm volatile("" : : "r"(text) : "memory");
  return *text;
}
template <typename T> struct Box { T value; __attribute__((noinline)) T taken(T other) { asm volatile("" ::: "memory"); return value + other; } };
__attribute__((noinline)) long order(const Customer &customer, Box<long> &box, const std::string &tag) {
  asm volatile("" ::: "memory");
  return customer.level_ + box.taken(1) + tag.size();
}
}
int main() {
  setbuf(stdout, 0);
  puts("ready");
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    shop::Customer customer(4);
    shop::Box<long> box{20};
    asm volatile("" : : "r"(&customer), "r"(&box) : "memory");
    printf("%ld\\n", order(customer, box, "short") + customer.visits(2) + customer.visits("A") + customer.doubled(8));
  }
}
`;

const lineOf = (text: string): number => SHOP.split('\n').findIndex((line) => line.includes(text)) + 1;

describe('probes of C++ programs', { skip: noCompiler || lacks('g++') }, () => {
  for (const level of ['-O0', '-O2']) {
    it(`name methods, members, namespaces, instances of templates: g++ ${level}`, async (t) => {
      const { files, ask, sandbox, pid } = await traced(t, SHOP, ['-x', 'c++', level, '-g'], 'g++');
      const probe = async (...args: readonly string[]): Promise<string> => {
        const { stdout, stderr } = await sandbox.fentry('probe', '--pid', String(pid), ...args);
        return stdout + stderr;
      };
      const [first, second] = ['Customer::visits(int more) {', 'Customer::visits(const char *text) {'].map(lineOf) as [
        number,
        number,
      ];
      await files.append(
        'kprobe_events',
        'p:order shop.order level=customer.level_ name=customer.name box.value tag=tag._M_dataplus._M_p\n',
      );
      await files.append('kprobe_events', 'p:taken shop.Box<long>.taken value this->value other\n');
      await files.append('kprobe_events', `p:more program.c:${first} level_ count=shop.Customer.count\n`);
      await files.append('kprobe_events', `p:text program.c:${second} text hits\n`);
      await files.append('kprobe_events', `p:doubled program.c:${lineOf('long doubled')} by\n`);
      await files.write('events/kprobes/enable', '1');
      assert.equal(await ask(), '132');
      const records = (await files.read('trace')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      assert.deepEqual(
        records
          .map((line) => line.replace(/^.*?\d+\.\d+: /, '').replace(/\(.*?\) /, ''))
          .filter((line, i, all) => line !== all[i - 1]),
        [
          'order: level=4 name="ann" value=20 tag="short"',
          'taken: value=20 arg2=20 other=1',
          'more: level_=4 count=41',
          'text: text="A" hits=3',
          'doubled: by=8',
        ],
      );
      const overloaded = await probe('-V', 'shop.Customer.visits');
      assert.match(
        overloaded,
        new RegExp(`several functions have this name: \\S+/program\\.c:${first}, \\S+/program\\.c:${second} \\(EADDRNOTAVAIL\\)`),
      );
      assert.match(
        await probe('-L', 'shop.Box<long>.taken'),
        /^<shop\.Box<long>\.taken@\S+program\.c:0>\n {6}0 {2}template <typename T> struct Box/,
      );
      assert.match(
        await probe('-V', 'shop.Box<long>.taken'),
        /\tthis\t(const )?struct Box<long int> \*const\n\t\tparameter\tother\tlong int\n/,
      );
      if (level === '-O2')
        assert.match(
          await probe('-V', 'shop.Customer.doubled'),
          /@<main\+\d+>\n(\t\t.*\n)*\t\tparameter\tthis\tCustomer \*const\n/,
        );
    });
  }
});
