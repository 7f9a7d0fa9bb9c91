/**
 * Fills a read of sub-buffers up with empty ones. splice(2) reads through the page cache, and there a short answer is the end of
 * the file for ever; an empty sub-buffer is one that readers pass over. Its time is that of the last one before it.
 * @param pages whole sub-buffers, at least one
 * @param size bytes that were asked for
 */
export function fillSubBuffers(pages: Uint8Array, size: number, subBuffer: number): Uint8Array {
  const missing = Math.floor((size - pages.length) / subBuffer);
  if (missing <= 0 || pages.length % subBuffer !== 0) return pages;
  const filled = Buffer.alloc(pages.length + missing * subBuffer);
  filled.set(pages);
  const last = pages.subarray(pages.length - subBuffer, pages.length - subBuffer + 8);
  for (let at = pages.length; at < filled.length; at += subBuffer) filled.set(last, at);
  return filled;
}
