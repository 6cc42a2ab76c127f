import { AsyncLocalStorage } from 'node:async_hooks';

/** Whether what is running must not write to the log. */
const silence = new AsyncLocalStorage<boolean>();

/**
 * Runs something that writes nothing to the log: the platform adds the URL of the request to each
 * line (https://github.com/cloudflare/workers-sdk/issues/15379), and can redact its query only.
 */
export function silently<Result>(run: () => Result): Result {
  return silence.run(true, run);
}

/**
 * Writes one line of JSON to the log. Callers never pass credentials, query strings or raw database errors, which contain
 * SQL with its parameters.
 */
export function log(
  level: 'info' | 'warn' | 'error',
  event: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  if (silence.getStore()) return;
  console[level](JSON.stringify({ event, ...fields }));
}

/** Logs an error that nothing expects, under the id of the request that failed. */
export function logUnexpected(error: unknown, requestId: string): void {
  log('error', 'error.unexpected', { requestId, error: describeError(error) });
}

/** An error and what has caused it, as text to look for words in: libraries wrap the errors of others. */
export function withCauses(error: unknown): string {
  return error instanceof Error && error.cause !== undefined
    ? `${error}\n${withCauses(error.cause)}`
    : String(error);
}

/** The class and first line of an error, truncated to 300 characters so that no SQL statement leaks. */
export function describeError(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return (text.split('\n', 1)[0] ?? '').slice(0, 300);
}
