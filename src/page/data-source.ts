import type { RecordingSide } from '../timeline/compare-timelines.js';

/** A source as the page shows it. */
export interface SourceOfPage {
  readonly text: string;
  /** Whether the file was changed after it was recorded. */
  readonly isNewer: boolean;
}

/** Where the page has its recordings from; a single one is `after`. Promises are rejected with words for the user. */
export interface DataSource {
  /** Passes the bytes of the recording as they come. */
  load(take: (bytes: Uint8Array) => void, of: RecordingSide): Promise<void>;
  source(file: string, of: RecordingSide): Promise<SourceOfPage>;
  /** The file for ui.perfetto.dev; absent where there is none. */
  perfetto?(of: RecordingSide): Promise<ArrayBuffer>;
}

const TOKEN_HEADER = 'x-fentry-token';

/** The server that `fentry open` runs, or `fentry ui`, which has several recordings. */
class ServedRecording implements DataSource {
  readonly #token: string;
  readonly #query: URLSearchParams;

  /** @param query what the page's address says of the recording */
  constructor(token: string, query: URLSearchParams) {
    this.#token = token;
    this.#query = query;
  }

  async load(take: (bytes: Uint8Array) => void, of: RecordingSide): Promise<void> {
    const { body } = await this.#ask('/recording', of);
    const reader = body!.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) take(piece.value);
  }

  async source(file: string, of: RecordingSide): Promise<SourceOfPage> {
    const response = await this.#ask('/source', of, { file });
    return (await response.json()) as SourceOfPage;
  }

  async perfetto(of: RecordingSide): Promise<ArrayBuffer> {
    return (await this.#ask('/perfetto', of)).arrayBuffer();
  }

  async #ask(path: string, of: RecordingSide, query: Readonly<Record<string, string>> = {}): Promise<Response> {
    const asked = { ...query, ...(of === 'before' && { of }) };
    const words = new URLSearchParams([...this.#query, ...Object.entries(asked)]).toString();
    let response: Response;
    try {
      response = await fetch(words === '' ? path : `${path}?${words}`, { headers: { [TOKEN_HEADER]: this.#token } });
    } catch {
      throw new Error('fentry does not answer: start fentry open again');
    }
    if (!response.ok) throw new Error((await response.text()).trim());
    return response;
  }
}

/** A recording that stands in the page itself: base64 of bytes in pieces, each deflated for itself. */
class EmbeddedRecording implements DataSource {
  readonly #pieces: readonly Element[];
  readonly #sources: Readonly<Record<string, string>>;

  constructor(pieces: readonly Element[], sources: string) {
    this.#pieces = pieces;
    this.#sources = sources === '' ? {} : (JSON.parse(sources) as Record<string, string>);
  }

  async load(take: (bytes: Uint8Array) => void): Promise<void> {
    for (const piece of this.#pieces) {
      const deflated = Uint8Array.from(atob(piece.textContent!.trim()), (char) => char.charCodeAt(0));
      piece.remove();
      const inflated = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate'));
      take(new Uint8Array(await new Response(inflated).arrayBuffer()));
    }
  }

  async source(file: string): Promise<SourceOfPage> {
    const text = Object.hasOwn(this.#sources, file) ? this.#sources[file] : undefined;
    if (text === undefined)
      throw new Error(
        'this page does not have the source: fentry dump --html-sources puts those of the application in, and fentry open reads all',
      );
    return { text, isNewer: false };
  }
}

/** Where this page has its recording from. */
export function findDataSource(page: Document, { hash, search }: Location): DataSource {
  const pieces = [...page.querySelectorAll('script[type="application/x-fentry"]')];
  if (pieces.length > 0) return new EmbeddedRecording(pieces, page.querySelector('#sources')?.textContent ?? '');
  return new ServedRecording(hash.slice(1), new URLSearchParams(search));
}
