/** What a deployment works with. */
export interface DeployContext {
  /** The path of the project's `wrangler.toml`. */
  readonly config: string;
  /** Prints a line about the progress. */
  print(line: string): void;
  /** Runs wrangler; throws a Failure if it fails. */
  wrangler(args: readonly string[]): Promise<void>;
}
