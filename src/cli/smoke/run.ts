import { type Check, fail, type Outcome, type Subject, skip } from './check.ts';
import { cached, feeds, head, headers, notModified, schema } from './checks-feed.ts';
import { rateLimit, secrets } from './checks-limits.ts';
import { password, service } from './checks-service.ts';
import { token, update } from './checks-units.ts';

/** In their order: `rateLimit` exhausts a limit that others are subject to, and `secrets` has searched all responses. */
const CHECKS: readonly Check[] = [
  service,
  password,
  feeds,
  headers,
  cached,
  notModified,
  head,
  schema,
  token,
  update,
  rateLimit,
  secrets,
];

/** Without these, nothing else can be checked. */
const REQUIRED: readonly Check[] = [service, password];

/** The names of all lines, in their order. */
export const LINES: readonly string[] = CHECKS.map(({ name }) => name);

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
  for (const check of CHECKS) {
    const outcome = missing === undefined || check === secrets ? await runOne(check, subject, signal) : skip(missing);
    onLine({ name: check.name, ...outcome });
    if (REQUIRED.includes(check) && outcome.outcome === 'FAIL') missing = `skipped: ${check.name} failed`;
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
