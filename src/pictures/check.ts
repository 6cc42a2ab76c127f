import { findAccount } from '../accounts/accounts.ts';
import type { Env } from '../env.ts';
import {
  addressError,
  ForbiddenAddress,
  fetchOutbound,
  HostBusy,
  mayCallLocal,
} from '../http/outbound.ts';
import { withCredentials } from '../imports/runs/fetch-file.ts';
import type { EpochMilliseconds } from '../lib/time/time.ts';
import { withTimeout } from '../lib/time/timeout.ts';
import { orUnavailable } from '../lib/unavailable.ts';
import { sendTask } from '../tasks/tasks.ts';
import {
  accountsToCheck,
  endTurn,
  noteChecks,
  type Outcome,
  planChecks,
  takeTurn,
} from './checks.ts';
import { forgetHosts, HostPace, hostOf } from './host-pace.ts';
import { digestIn, pathOf, pictureKey, SIZES } from './names.ts';
import type { Owner } from './take-in.ts';

/** Accounts that one run of the schedule lets check, and what each of them then checks at most. */
const ACCOUNTS = 4;
const MOST = 200;

/** The milliseconds after which nothing else is begun. */
const WORKING_MS = 240_000;

/** Hosts that are asked at the same time: an invocation may wait for six responses. */
const HOSTS = 4;

/** Milliseconds for a request, with the turns of the hosts that it is sent to. */
const TIMEOUT_MS = 60_000;

const MAX_REDIRECTS = 3;

/** Answers that say nothing about the picture: the server is asked too much, or too early. */
const NOT_NOW: readonly number[] = [408, 425, 429];

/** Sees to it that the pictures of these accounts that are elsewhere get checked. */
export async function planAllChecks(env: Env, accountIds: readonly number[]): Promise<void> {
  await forgetHosts(env.DB);
  for (const id of accountIds) {
    const account = await findAccount(env.DB, { id });
    if (account !== null) await planChecks(env.DB, id, pathOf(account.code));
  }
}

/** Lets the accounts whose turn it is check pictures that are elsewhere. */
export async function startChecks(env: Env): Promise<void> {
  for (const accountId of await accountsToCheck(env.DB, ACCOUNTS))
    await sendTask(env, { kind: 'checks', accountId });
}

/** Checks the next pictures of an account that are elsewhere, if it is its turn. Their contents are not read. */
export async function checkPictures(
  env: Env,
  accountId: number,
  clock: () => EpochMilliseconds = Date.now,
): Promise<void> {
  const addresses = await takeTurn(env.DB, accountId, MOST);
  if (addresses === null) return;
  const owner = await findAccount(env.DB, { id: accountId });
  if (owner === null) return endTurn(env.DB, accountId, false);
  const until = clock() + WORKING_MS;
  const pace = new HostPace(env.DB, addresses);
  const outcomes = new Map<string, Outcome>();
  const hosts = Map.groupBy(addresses, hostOf).values();
  const work = async () => {
    for (const ofHost of hosts)
      await checkHost(env, ofHost, { owner, pace, outcomes, clock, until });
  };
  try {
    await Promise.all(Array.from({ length: HOSTS }, work));
  } finally {
    await noteChecks(env.DB, accountId, outcomes);
    await endTurn(env.DB, accountId, addresses.length === MOST || outcomes.size < addresses.length);
  }
}

/** What the checks of an account share. */
interface Checking {
  readonly owner: Owner;
  readonly pace: HostPace;
  readonly outcomes: Map<string, Outcome>;
  readonly clock: () => EpochMilliseconds;
  readonly until: EpochMilliseconds;
}

/** Checks the pictures of a host, one after the other, until others ask the host, or the time is over. */
async function checkHost(
  env: Env,
  addresses: readonly string[],
  { owner, pace, outcomes, clock, until }: Checking,
): Promise<void> {
  for (const address of addresses) {
    if (clock() > until) return;
    try {
      const digest = digestIn(owner.code, address);
      const asking =
        digest === null ? outcomeOf(env, address, pace) : outcomeHere(env, owner, address, digest);
      outcomes.set(address, await asking);
    } catch (error) {
      if (!(error instanceof HostBusy)) throw error;
      return;
    }
  }
}

/** Whether the bucket has a picture whose address says that it is served from here. */
async function outcomeHere(
  { FILES }: Env,
  { code }: Owner,
  address: string,
  digest: string,
): Promise<Outcome> {
  const size = SIZES.find((one) => address.endsWith(`-${one}.jpg`))!;
  const found = await orUnavailable('picture', FILES.head(pictureKey(code, digest, size)));
  return found === null ? 404 : null;
}

/** Whether a picture can be fetched. @throws HostBusy */
async function outcomeOf(env: Env, address: string, pace: HostPace): Promise<Outcome> {
  const local = mayCallLocal(env);
  // Another rule says what is wrong with such an address.
  if (addressError(address, local) !== null) return undefined;
  const { url, headers: credentials } = withCredentials(address);
  const headers = { ...credentials, 'User-Agent': 'Lindero-Check/1' };
  const turn = (next: string) => pace.turn(next);
  const ask = async (init: RequestInit) => {
    const abort = new AbortController();
    const { signal } = abort;
    try {
      const asked = fetchOutbound(url, { ...init, local, redirects: MAX_REDIRECTS, turn, signal });
      return (await withTimeout('The server', asked, TIMEOUT_MS)).status;
    } finally {
      // Nobody reads what it has sent.
      abort.abort();
    }
  };
  try {
    const status = await ask({ method: 'HEAD', headers });
    if (status < 300) return null;
    // Some servers do not implement HEAD, or reject it with the status of a missing file.
    const ranged = await ask({ headers: { ...headers, Range: 'bytes=0-0' } });
    // A file without a byte that could be sent is there.
    if (ranged < 300 || ranged === 416) return null;
    return NOT_NOW.includes(ranged) ? undefined : ranged;
  } catch (error) {
    if (error instanceof HostBusy) throw error;
    return error instanceof ForbiddenAddress ? undefined : 0;
  }
}
