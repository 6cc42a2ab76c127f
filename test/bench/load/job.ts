/** Requests that the load generator makes, each once a connection is free. */
export interface Job {
  readonly origin: string;
  /** Paths with their queries; asked for in turn, from the first again after the last. */
  readonly paths: readonly string[];
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** The bodies of the requests, taken in turn like the paths. */
  readonly bodies?: readonly string[];
  readonly connections: number;
  readonly requests: number;
  /** The status that every answer must have. */
  readonly status: number;
  /** The bytes that every body must have. */
  readonly bytes?: number;
  /** What the header Cache-Status of every answer must contain. */
  readonly cacheStatus?: string;
}

export interface JobResult {
  /** From the first request to the end of the last answer. */
  readonly milliseconds: number;
  /** Bytes of all bodies together. */
  readonly bytes: number;
  /** Milliseconds to the first byte of the body, per request, ascending. */
  readonly firstByte: readonly number[];
  /** Milliseconds of processor time that the generator itself took. */
  readonly ownProcessor: number;
}
