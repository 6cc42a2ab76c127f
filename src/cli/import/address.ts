import { Failure } from '../failure.ts';

/**
 * The address that an argument is; `null` for a path.
 *
 * @throws Failure where it begins like an address, and is none
 */
export function addressIn(argument: string | undefined): URL | null {
  if (argument === undefined || !/^https?:\/\//i.test(argument)) return null;
  try {
    return new URL(argument);
  } catch {
    throw new Failure('no_file', 'The address of the file is not valid.');
  }
}

/** An address without its credentials, which may stand before the host and among the parameters. */
export function withoutSecrets(address: URL): string {
  return `${address.origin}${address.pathname}${address.search === '' ? '' : '?…'}`;
}
