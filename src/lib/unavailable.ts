import { describeError } from './log.ts';

/** D1, KV, the issuer or a setting fails or is not responding. The message is for the log and never sent to callers. */
export class DependencyUnavailable extends Error {
  override readonly name = 'DependencyUnavailable';
}

/** Whether an error, or its cause, comes from a dependency: drizzle wraps the errors of D1. */
export function isUnavailable(error: unknown): boolean {
  return (
    error instanceof Error && (error instanceof DependencyUnavailable || isUnavailable(error.cause))
  );
}

/** Seconds after which callers should retry when a dependency is unavailable. */
export const RETRY_AFTER_SECONDS = 5;

/** The result of the work; if it fails, a DependencyUnavailable with its subject and the reason, for the log. */
export async function orUnavailable<Value>(what: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw new DependencyUnavailable(`${what}: ${describeError(error)}`);
  }
}
