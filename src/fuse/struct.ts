/** The members that the structs of linux/fuse.h are made of; they are aligned by design, so no padding is implied. */
const WIDTHS = { u16: 2, u32: 4, i32: 4, u64: 8 } as const;
type Member = keyof typeof WIDTHS;
type Members = Readonly<Record<string, Member>>;

/** The numbers of a struct by their names. */
export type Fields<M extends Members> = { readonly [Name in keyof M]: number };

/** A struct of the kernel's: its size, and how it is read and written. Members that are left out when it is written are 0. */
export interface Struct<M extends Members> {
  readonly size: number;
  read(bytes: Buffer, at: number): Fields<M>;
  write(fields: Partial<Fields<M>>): Buffer;
}

const READ: Readonly<Record<Member, (bytes: Buffer, at: number) => number>> = {
  u16: (bytes, at) => bytes.readUInt16LE(at),
  u32: (bytes, at) => bytes.readUInt32LE(at),
  i32: (bytes, at) => bytes.readInt32LE(at),
  u64: (bytes, at) => bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32,
};

const WRITE: Readonly<Record<Member, (bytes: Buffer, value: number, at: number) => unknown>> = {
  u16: (bytes, value, at) => bytes.writeUInt16LE(value, at),
  u32: (bytes, value, at) => bytes.writeUInt32LE(value, at),
  i32: (bytes, value, at) => bytes.writeInt32LE(value, at),
  u64: (bytes, value, at) => bytes.writeBigUInt64LE(BigInt(value), at),
};

/**
 * A struct by its members in their order. 64-bit members are read as doubles: ids and sizes are exact below 2^53, larger values
 * (a lock owner) are not used here. Byte order is that of x86-64 and arm64.
 */
export function struct<const M extends Members>(members: M): Struct<M> {
  const table = Object.entries(members).map(([name, member]) => ({ name, member, at: 0 }));
  let size = 0;
  for (const row of table) {
    row.at = size;
    size += WIDTHS[row.member];
  }
  return {
    size,
    read(bytes, at) {
      const fields: Record<string, number> = {};
      for (const row of table) fields[row.name] = READ[row.member](bytes, at + row.at);
      return fields as Fields<M>;
    },
    write(fields) {
      const bytes = Buffer.alloc(size);
      for (const { name, member, at } of table) {
        const value = fields[name];
        if (value !== undefined) WRITE[member](bytes, value, at);
      }
      return bytes;
    },
  };
}
