import { VERSION } from '../../base/version.js';
import { post, receiverOf } from '../http-post.js';
import type { Batch, RowSink } from '../rows.js';
import { type OtlpResource, otlpResources } from './otlp-rows.js';

/** Spans, logs or metrics of a request at most: receivers limit what they take. */
const MOST_ITEMS = 2000;

const SCOPE = { name: 'fentry', version: VERSION } as const;

/** What is sent to each path: the key of its resources, of its scopes, and of what these have. */
const SIGNALS = [
  ['v1/traces', 'resourceSpans', 'scopeSpans', 'spans'],
  ['v1/logs', 'resourceLogs', 'scopeLogs', 'logRecords'],
  ['v1/metrics', 'resourceMetrics', 'scopeMetrics', 'metrics'],
] as const;

/** A request: its path below the receiver's URL, and its body. */
export interface OtlpRequest {
  readonly path: string;
  readonly body: object;
}

const itemsOf = ({ spans, logs, metrics }: OtlpResource) => ({ spans, logRecords: logs, metrics });

/** The requests of a batch, in their order. */
export function otlpRequests(batch: Batch): readonly OtlpRequest[] {
  const resources = otlpResources(batch);
  return SIGNALS.flatMap(([path, resourceKey, scopeKey, itemKey]) =>
    resources.flatMap((resource) => {
      const items: readonly object[] = itemsOf(resource)[itemKey];
      return Array.from({ length: Math.ceil(items.length / MOST_ITEMS) }, (_, i) => {
        const scope = { scope: SCOPE, [itemKey]: items.slice(i * MOST_ITEMS, (i + 1) * MOST_ITEMS) };
        return { path, body: { [resourceKey]: [{ resource: { attributes: resource.attributes }, [scopeKey]: [scope] }] } };
      });
    }),
  );
}

/** A receiver of OTLP in JSON over HTTP, such as OpenTelemetry's collector. */
export class OtlpReceiver implements RowSink {
  readonly name: string;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  /** How much of a batch was taken before one of its requests was refused. */
  #taken = { batch: '', requests: 0 };

  constructor(target: string) {
    const { url, headers } = receiverOf(target);
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    this.#url = url;
    this.#headers = { ...headers, 'content-type': 'application/json' };
    this.name = `the OTLP receiver ${url.origin}`;
  }

  async store(batch: Batch, signal?: AbortSignal): Promise<void> {
    if (this.#taken.batch !== batch.id) this.#taken = { batch: batch.id, requests: 0 };
    for (const { path, body } of otlpRequests(batch).slice(this.#taken.requests)) {
      await post(new URL(path, this.#url), JSON.stringify(body), this.#headers, signal);
      this.#taken.requests++;
    }
  }
}
