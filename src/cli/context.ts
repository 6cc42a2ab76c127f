import type { Env } from '../env.ts';

/** Which database and store a command works on. */
export interface Where {
  /** The deployed ones, instead of those of `wrangler dev` on this machine. */
  readonly remote: boolean;
  /** The directory of the local ones, as `wrangler dev --persist-to` has it. */
  readonly persistTo: string;
}

/** Bindings in reach of this process, until they are closed. */
export interface Platform {
  readonly env: Env;
  dispose(): Promise<void>;
}

/** What a command has of the world. */
export interface Context {
  /**
   * Writes to the standard output; done once there is room for more.
   *
   * @throws ReaderGone where nobody reads it any more
   * @throws Failure where it cannot be written
   */
  out(text: string): Promise<void>;
  /** Writes to the standard error. */
  err(text: string): void;
  readonly input: AsyncIterable<Uint8Array>;
  /** The project's directory. */
  readonly directory: string;
  now(): Date;
  open(where: Where): Promise<Platform>;
  /**
   * Runs wrangler; a text is handed to it as its standard input, without one it has that of this process.
   *
   * @returns its standard output
   * @throws Failure with what it says where it fails
   */
  wrangler(args: readonly string[], input?: string): Promise<string>;
}
