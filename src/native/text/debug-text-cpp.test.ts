import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ElfFile } from '../elf/elf-file.js';
import { debugOf, memory, register } from '../testing/debug-fetches.js';
import { compile } from '../testing/programs.js';
import { without } from '../testing/toolchain.js';

const SOURCE = `
#define KEPT __attribute__((noinline, used))
#define MEMORY asm volatile("" ::: "memory")
int low = 1;
namespace shop {
enum class Kind : unsigned char { plain = 1, rush = 7 };
struct Address { int street; const char *city; };
struct Named { virtual ~Named() {} const char *name; long hits; };
struct Rated { int rating; };
class Customer : public Named, public Rated {
 public:
  KEPT long visits(int more, char *hits) { MEMORY; return this->hits + more + (hits != nullptr); }
  KEPT static long sum(Customer customers[2]) { MEMORY; return customers[1].level_ + count; }
  static int count;
  static constexpr int most = 12;
  int level_;
  Address address_;
};
int Customer::count = 41;
struct Shared : virtual Named { KEPT long seen() { MEMORY; return hits; } int own; };
template <typename T> struct Box { T value; int tag; KEPT T taken(T other) { MEMORY; return value + other; } };
template struct Box<long>;
namespace detail {
static int low = 2;
namespace { int hidden = 3; }
KEPT long price(const Customer &customer, Kind kind, Box<long> *const box, int &&moved) {
  asm volatile("" : "+m"(low), "+m"(hidden));
  return customer.level_ + static_cast<int>(kind) + box->value + moved + low + hidden;
}
}
}
namespace other { static int low = 4; KEPT int lower(int by) { asm volatile("" : "+m"(low)); return low - by; } }
int main(int count, char **words) {
  shop::Customer all[2];
  shop::Box<long> box{20, 6};
  shop::Shared shared;
  return shop::detail::price(all[0], shop::Kind::rush, &box, 7) + all[0].visits(count, *words) + shop::Customer::sum(all) + other::lower(low) + shared.seen();
}
`;

for (const [compiler, ...options] of [
  ['g++', '-O0', '-gdwarf-5'],
  ['g++', '-O2', '-gdwarf-4'],
  ['g++', '-O2', '-gdwarf-4', '-fdebug-types-section'],
  ['g++', '-O2', '-gdwarf-5', '-fdebug-types-section'],
  ['clang++', '-O0', '-gdwarf-4'],
  ['clang++', '-O2', '-gdwarf-5'],
] as const) {
  test(`names of C++ mean what they mean in its source: ${compiler} ${options.join(' ')}`, { skip: without(compiler) }, (t) => {
    const program = compile(t, SOURCE, ['-x', 'c++', '-std=c++17', ...options], compiler);
    const fetched = debugOf(new ElfFile(readFileSync(program), program));
    const at = (name: string, path: string): unknown => fetched(name, 0, path);
    const price = (path: string): unknown => at('shop.detail.price', path);
    const visits = (path: string): unknown => at('shop.Customer.visits', path);
    /** What stands at an address of the program's data. */
    const word = (path: string, name: string): number => {
      const { fetch, type } = at(name, path) as {
        readonly fetch: { readonly of: { readonly address: bigint } };
        readonly type: unknown;
      };
      assert.deepEqual(type, { name: 's32' }, path);
      const elf = new ElfFile(readFileSync(program), program);
      return elf.at(Number(fetch.of.address), 4)!.readInt32LE();
    };
    const s32 = { name: 's32' };
    const s64 = { name: 's64' };

    // References are followed; members of base classes, of nested classes, of an instance of a template.
    assert.deepEqual(price('customer.level_'), { fetch: memory(register('di'), 28), type: s32 });
    assert.deepEqual(price('customer.hits'), { fetch: memory(register('di'), 16), type: s64 });
    assert.deepEqual(price('customer.rating'), { fetch: memory(register('di'), 24), type: s32 });
    assert.deepEqual(price('customer.address_.city'), { fetch: memory(memory(register('di'), 40), 0), type: { name: 'string' } });
    assert.deepEqual(price('kind'), { fetch: register('si'), type: { name: 'u8' } });
    assert.deepEqual(price('box.value'), { fetch: memory(register('dx'), 0), type: s64 });
    assert.deepEqual(price('moved'), { fetch: memory(register('cx'), 0), type: s32 });
    assert.deepEqual(at('shop.Box<long>.taken', 'other'), { fetch: register('si'), type: s64 });
    assert.deepEqual(at('shop.Customer.sum', 'customers.1.level_'), { fetch: memory(register('di'), 48 + 28), type: s32 });

    // A method: its own variables, then members of its object, then what is outside.
    assert.deepEqual(visits('this.level_'), { fetch: memory(register('di'), 28), type: s32 });
    assert.deepEqual(visits('level_'), visits('this.level_'));
    assert.deepEqual(visits('address_.street'), visits('this.address_.street'));
    assert.deepEqual(visits('hits'), { fetch: memory(register('dx'), 0), type: { name: 'string' } });

    // The variable of the nearest namespace; others by their names.
    assert.equal(word('low', 'shop.detail.price'), 2);
    assert.equal(word('low', 'other.lower'), 4);
    assert.equal(word('shop.detail.low', 'other.lower'), 2);
    assert.equal(word('other.low', 'shop.detail.price'), 4);
    assert.equal(word('hidden', 'shop.detail.price'), 3);
    assert.equal(word('count', 'shop.Customer.visits'), 41);
    assert.equal(word('Customer.count', 'shop.detail.price'), 41);
    assert.deepEqual(price('Customer.most'), { fetch: { kind: 'immediate', value: 12 }, type: s32 });

    assert.equal(price('customer.count'), 'customer.count is one for the whole class: name it with that, CLASS.MEMBER');
    assert.equal(at('shop.Shared.seen', 'this.hits'), 'this.hits is in a virtual base class, whose place only the object knows');
    assert.equal(at('shop.Shared.seen', 'hits'), at('shop.Shared.seen', 'this.hits'));
    assert.match(String(price('nosuch')), /^nosuch is no variable of shop.detail.price, which has customer, kind, box, moved$/);
    assert.match(String(price('customer.nosuch')), /^customer has no member nosuch: it has .*level_, address_/);
    assert.match(
      String(price('customer.address_')),
      /^customer.address_ is a whole struct Address; name a member: street, city$/,
    );
  });
}
