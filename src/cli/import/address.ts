import { Failure } from '../command/failure.ts';

/**
 * The URL in an argument; `null` for a path.
 *
 * @throws Failure if it begins like a URL but is invalid
 */
export function addressIn(argument: string | undefined): URL | null {
  if (argument === undefined || !/^https?:\/\//i.test(argument)) return null;
  try {
    return new URL(argument);
  } catch {
    throw new Failure('no_file', 'The URL of the file is invalid.');
  }
}

/** A URL without credentials: without user, password and query. */
export function withoutSecrets(address: URL): string {
  return `${address.origin}${address.pathname}${address.search === '' ? '' : '?…'}`;
}
