/**
 * The bytes of a page of memory: what the kernel maps, protects and lists (`/proc/PID/pagemap`), and what is copied when text is
 * changed. Every x86-64 has pages of 4 KiB; of arm64 only those kernels are traced that have them too.
 */
export const PAGE = 4096;

/** The start of the page that an address is in. */
export const downToPage = (address: number): number => Math.floor(address / PAGE) * PAGE;

/** The first page that begins at an address or behind it; of a size, the bytes of the pages that it needs. */
export const upToPage = (address: number): number => Math.ceil(address / PAGE) * PAGE;
