import { answerJson, answerLines } from '../../answers/answer.js';
import { requestsText } from '../../answers/requests/requests-text.js';
import type { FileHandle } from '../tracefs/node.js';
import { ContentReader } from '../tracefs/text-file.js';
import { type FollowedProcess, FollowedRequests } from './followed-requests.js';
import { aborted } from './timed-answer.js';

/** What an open file of requests follows. */
export interface RequestsWanted {
  readonly seconds: number;
  /** The channel that tells of jobs; absent: HTTP requests. */
  readonly channel?: string;
  readonly isJson: boolean;
}

/**
 * An open file of requests: they are followed from when it was opened, for some seconds, or until something is written to it;
 * then it can be read.
 */
export class RequestsFile implements FileHandle {
  readonly #followed: FollowedRequests;
  readonly #wanted: RequestsWanted;
  readonly #timer: NodeJS.Timeout;
  readonly #over: Promise<void>;
  #end: () => void = () => {};
  #isOver = false;
  #content: Promise<ContentReader> | undefined;

  private constructor(followed: FollowedRequests, wanted: RequestsWanted) {
    this.#followed = followed;
    this.#wanted = wanted;
    this.#over = new Promise((resolve) => {
      this.#end = () => {
        this.#isOver = true;
        resolve();
      };
    });
    this.#timer = setTimeout(() => this.#end(), wanted.seconds * 1000);
  }

  /** Opens it. @throws TraceError as FollowedRequests.begin() */
  static async open(process: FollowedProcess, wanted: RequestsWanted): Promise<RequestsFile> {
    return new RequestsFile(await FollowedRequests.begin(process, wanted.channel), wanted);
  }

  async read(size: number, signal?: AbortSignal): Promise<Uint8Array> {
    await this.untilReadable(signal);
    this.#content ??= this.#followed.end().then((value) => {
      return new ContentReader(this.#wanted.isJson ? answerJson(value) : answerLines(requestsText(value, {})));
    });
    return (await this.#content).read(size);
  }

  isReadable(): boolean {
    return this.#isOver;
  }

  async untilReadable(signal?: AbortSignal): Promise<void> {
    await Promise.race([this.#over, aborted(signal)]);
  }

  /** Any text: nothing more is followed. */
  write(): void {
    this.#end();
  }

  async release(): Promise<void> {
    clearTimeout(this.#timer);
    this.#end();
    await this.#followed.cancel();
  }
}
