import { type Check, fail, type Outcome, type Subject, skip } from './check.ts';
import { schema } from './check-schema.ts';
import {
  abortedRead,
  builds,
  cached,
  contentType,
  firstByte,
  gzip,
  head,
  identity,
  length,
  noTransform,
  notModified,
} from './checks-feed.ts';
import { rateLimit, secrets } from './checks-limits.ts';
import { database, password, service, wrongPassword } from './checks-service.ts';
import { token, update, updateInFeed } from './checks-units.ts';

/** Without these, nothing else can be checked. */
const REQUIRED: readonly Check[] = [service, database, password];

const CHECKS: readonly Check[] = [
  wrongPassword,
  gzip,
  identity,
  schema,
  cached,
  length,
  contentType,
  noTransform,
  notModified,
  head,
  abortedRead,
  firstByte,
  builds,
  token,
  update,
  updateInFeed,
  // Last, because it exhausts a limit that other checks are subject to.
  rateLimit,
  secrets,
];

/** The names of all lines, in their order. */
export const LINES: readonly string[] = [...REQUIRED, ...CHECKS].map(({ name }) => name);

/** A line of the report. */
export interface Line extends Outcome {
  readonly name: string;
}

/**
 * Runs all checks in order.
 *
 * @param onLine called with each line once its check has been run
 * @param signal aborted if no time is left, with the reason
 */
export async function runChecks(subject: Subject, onLine: (line: Line) => void, signal: AbortSignal): Promise<void> {
  let missing: string | undefined;
  for (const check of [...REQUIRED, ...CHECKS]) {
    const outcome = missing === undefined || check === secrets ? await runOne(check, subject, signal) : skip(missing);
    onLine({ name: check.name, ...outcome });
    if (REQUIRED.includes(check) && outcome.outcome === 'FAIL') missing = `because of ${check.name}`;
  }
}

async function runOne(check: Check, subject: Subject, signal: AbortSignal): Promise<Outcome> {
  if (signal.aborted) return fail(String(signal.reason));
  try {
    return await check.run(subject);
  } catch (error) {
    if (signal.aborted) return fail(String(signal.reason));
    const { message, code } = error as NodeJS.ErrnoException;
    return fail(message || code || String(error));
  }
}
