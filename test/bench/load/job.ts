/** Requests that the load generator makes, each once a connection is free. */
export interface Job {
  readonly origin: string;
  /** Paths with queries, requested in turn and cyclically. */
  readonly paths: readonly string[];
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** The bodies of the requests, used cyclically like the paths. */
  readonly bodies?: readonly string[];
  readonly connections: number;
  readonly requests: number;
  /** The required status of every response. */
  readonly status: number;
  /** The required size of every body in bytes. */
  readonly bytes?: number;
  /** What Cache-Status of every response must contain. */
  readonly cacheStatus?: string;
}

export interface JobResult {
  /** From the first request to the end of the last response. */
  readonly milliseconds: number;
  /** Total bytes of all bodies. */
  readonly bytes: number;
  /** Milliseconds to the first byte of the body, per request, ascending. */
  readonly firstByte: readonly number[];
  /** Processor time of the generator itself, in milliseconds. */
  readonly ownProcessor: number;
}
