/**
 * Writes one line of JSON to the log. Callers pass facts, never a credential, a query string or a database error as it
 * stands: the latter carries SQL with its parameters.
 */
export function log(level: 'info' | 'warn' | 'error', event: string, facts: Readonly<Record<string, unknown>>): void {
  console[level](JSON.stringify({ event, ...facts }));
}

/** The class and first line of an error, cut to 300 characters: enough to find it, too little to leak a statement. */
export function describeError(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return (text.split('\n', 1)[0] ?? '').slice(0, 300);
}
