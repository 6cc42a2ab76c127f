import type { Env } from '../../env.ts';

/** The database and the KV namespace that a command works on. */
export interface Target {
  /** The deployed ones, instead of those of `wrangler dev` on this machine. */
  readonly remote: boolean;
  /** The directory of the local state, as for `wrangler dev --persist-to`. */
  readonly persistTo: string;
}

/** The Worker's bindings, usable in this process until they are disposed of. */
export interface Platform {
  readonly env: Env;
  dispose(): Promise<void>;
}

/** The environment of a command, replaced in tests. */
export interface Context {
  /**
   * Writes to the standard output, and resolves when there is room for more.
   *
   * @throws OutputClosed if its reader has closed it
   */
  out(text: string): Promise<void>;
  /** Writes to the standard error. */
  err(text: string): void;
  readonly input: AsyncIterable<Uint8Array>;
  /** The project's directory. */
  readonly directory: string;
  now(): Date;
  /** Where the service is served: the deployed one, or that of this machine. */
  origin(remote: boolean): Promise<string>;
  open(target: Target): Promise<Platform>;
  /**
   * Runs wrangler.
   *
   * @param input its standard input; by default that of this process
   * @returns its standard output
   */
  wrangler(args: readonly string[], input?: string): Promise<string>;
}
