import { password, rateLimit, secrets, service } from './access.ts';
import { type Check, Skipped, type Subject } from './check.ts';
import { cached, feeds, head, headers, notModified, schema } from './feeds.ts';
import { token, update } from './units.ts';

/** In their order: `rateLimit` exhausts a limit that others are subject to, and `secrets` has searched all responses. */
const CHECKS = new Map<string, Check>([
  ['service', service],
  ['password', password],
  ['feeds', feeds],
  ['headers', headers],
  ['cached', cached],
  ['304', notModified],
  ['HEAD', head],
  ['schema', schema],
  ['token', token],
  ['update', update],
  ['rate limit', rateLimit],
  ['secrets', secrets],
]);

/** The names of all lines, in their order. */
export const LINES: readonly string[] = [...CHECKS.keys()];

/** Without these, only `secrets` can be checked. */
const REQUIRED = ['service', 'password'];

/** A line of the report. */
export interface Line {
  readonly name: string;
  readonly outcome: 'pass' | 'FAIL' | 'skip';
  readonly detail: string;
}

/**
 * Runs all checks in order.
 *
 * @param onLine called with each line once its check has been run
 * @param signal aborted if no time is left, with the reason
 */
export async function runChecks(subject: Subject, onLine: (line: Line) => void, signal: AbortSignal): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [name, check] of CHECKS) {
    const failed = lines.find((line) => line.outcome === 'FAIL' && REQUIRED.includes(line.name));
    const isSkipped = failed !== undefined && name !== 'secrets';
    const line: Line = isSkipped
      ? { name, outcome: 'skip', detail: `skipped: ${failed.name} failed` }
      : { name, ...(await outcomeOf(check, subject, signal)) };
    lines.push(line);
    onLine(line);
  }
  return lines;
}

async function outcomeOf(check: Check, subject: Subject, signal: AbortSignal): Promise<Omit<Line, 'name'>> {
  try {
    signal.throwIfAborted();
    return { outcome: 'pass', detail: await check(subject) };
  } catch (error) {
    if (signal.aborted) return { outcome: 'FAIL', detail: String(signal.reason) };
    const { message, code } = error as NodeJS.ErrnoException;
    return { outcome: error instanceof Skipped ? 'skip' : 'FAIL', detail: message || code || String(error) };
  }
}
