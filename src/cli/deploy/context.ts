/** What a deployment works with, replaced in tests. */
export interface DeployContext {
  readonly config: string;
  /** The directory in which deployed services are remembered. */
  readonly directory: string;
  print(line: string): void;
  wrangler(args: readonly string[]): Promise<unknown>;
}
