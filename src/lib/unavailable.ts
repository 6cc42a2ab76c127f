import { describeError } from './log.ts';

/**
 * What the service stands on is missing or does not answer: the caller may try again. The message is for the log and
 * never goes on the wire.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** Seconds after which to try again what was unavailable. */
export const RETRY_AFTER = 5;

/**
 * What the work gives; where it fails, {@link Unavailable} with the reason.
 *
 * @param what names what was asked, for the log
 */
export async function orUnavailable<Value>(what: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw new Unavailable(`${what}: ${describeError(error)}`);
  }
}
