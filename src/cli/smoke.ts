/**
 * Verifies a service from outside, and prints a line for each check. It restores what it changes: one unit is updated
 * and restored, which its history shows, and a few feeds are cached.
 */
import { EXIT, Failure } from './command/failure.ts';
import { HttpClient } from './smoke/http.ts';
import { parseOptions, readSecrets, type SmokeOptions, USAGE } from './smoke/input.ts';
import { type Line, runChecks } from './smoke/run.ts';

/** Maximum time for all checks. */
const TIME_MS = 115_000;

/** Time within which a feed must be cached. */
const CACHED_WITHIN_MS = 20_000;

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(USAGE);
  else process.exitCode = await smoke(options);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = error.exit;
}

async function smoke({ origin, account, json, firstByteMs }: SmokeOptions): Promise<number> {
  const { password, client: api } = await readSecrets();
  const end = new AbortController();
  const timer = setTimeout(() => end.abort('no time left'), TIME_MS);
  // A unit that is being updated is restored before the process ends.
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => end.abort('interrupted'));
  const secrets = [
    { user: `OWNPROPERTIES@${account}`, secret: password },
    ...(api === undefined ? [] : [{ user: api.id, secret: api.secret }]),
  ];
  const client = new HttpClient(origin, secrets, end.signal);
  const lines: Line[] = [];
  const subject = { account, password, client, api, firstByteMs, cachedWithinMs: CACHED_WITHIN_MS, seen: {} };
  await runChecks(
    subject,
    (line) => {
      lines.push(line);
      if (!json) console.log(`${line.outcome}  ${line.name.padEnd(14)}  ${line.detail}`);
    },
    end.signal,
  );
  clearTimeout(timer);
  client.close();
  const count = (sought: Line['outcome']): number => lines.filter(({ outcome }) => outcome === sought).length;
  if (json) console.log(JSON.stringify(lines));
  else console.log(`\n${count('pass')} passed, ${count('FAIL')} failed, ${count('skip')} skipped`);
  return count('FAIL') === 0 ? EXIT.ok : EXIT.failed;
}
