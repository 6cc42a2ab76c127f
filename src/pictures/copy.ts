import { findAccount } from '../accounts/accounts.ts';
import type { Env } from '../env.ts';
import { HostBusy, mayCallLocal } from '../http/outbound.ts';
import { ImportError } from '../imports/pipeline/error.ts';
import { fetchFile } from '../imports/runs/fetch-file.ts';
import { paceOf } from '../imports/runs/pace.ts';
import { type EpochMilliseconds, nowInSeconds } from '../lib/time/time.ts';
import { type CodedMessage, message } from '../messages/messages.ts';
import { ProblemError } from '../problem.ts';
import { addressOf, type PictureEntry, pictureOf } from '../properties/pictures.ts';
import { sendTask } from '../tasks/tasks.ts';
import { changePictures, readPictures } from './change.ts';
import {
  accountsWithCopies,
  askForCopies,
  type Copies,
  forgetCopies,
  noteFailure,
  releaseCopies,
  takeCopies,
} from './copies.ts';
import { HostPace } from './host-pace.ts';
import { digestIn } from './names.ts';
import { MAX_PICTURE_BYTES } from './original.ts';
import { PictureRefused } from './refused.ts';
import { type Owner, type TakenIn, takeIn } from './take-in.ts';

/** Pictures that one invocation fetches, and the milliseconds after which it begins no other. */
const MOST = 10;
const WORKING_MS = 240_000;

/** Seconds after which pictures of a host are tried again that others ask at the same time. */
const BUSY_SECONDS = 30;

/** How often copying a picture may end an isolate. */
const MAX_ATTEMPTS = 3;

/** Nothing is known of a file that was never fetched. */
const UNKNOWN = { etag: null, lastModified: null };

/**
 * Asks for copies of all pictures of a property that are elsewhere. Doing so again changes nothing, but tries those again that
 * could not be copied.
 *
 * @returns those that are going to be copied
 * @throws ProblemError if the account has no such property
 */
export async function copyElsewhere(
  env: Env,
  { id, code }: Owner,
  { property, origin, actor }: Pick<Copies, 'property' | 'origin' | 'actor'>,
): Promise<PictureEntry[]> {
  const pictures = await readPictures(env.DB, id, property);
  const elsewhere = pictures.filter((entry) => digestIn(code, addressOf(entry)) === null);
  if (elsewhere.length === 0) return [];
  const addresses = elsewhere.map(addressOf);
  await askForCopies(env.DB, id, { property, origin, actor, addresses });
  await sendTask(env, { kind: 'pictures', accountId: id });
  return elsewhere;
}

/** Continues what lost messages have left behind. */
export async function resumeCopies(env: Env): Promise<void> {
  for (const accountId of await accountsWithCopies(env.DB))
    await sendTask(env, { kind: 'pictures', accountId });
}

/**
 * Copies the next pictures of an account, one after the other, and leaves others to another message. They are changed in the property in
 * one step, as it is then: one that it no longer names is not brought back. A message that comes twice finds them leased or copied.
 *
 * @throws an error that a later attempt may not meet
 */
export async function copyPictures(
  env: Env,
  accountId: number,
  clock: () => EpochMilliseconds = Date.now,
): Promise<void> {
  const owner = await findAccount(env.DB, { id: accountId });
  const copies = owner && (await takeCopies(env.DB, accountId, MOST));
  if (!copies) return;
  let isBusy = false;
  try {
    isBusy = await copyAll(env, owner, copies, clock);
  } finally {
    // Those that are done have no row any more.
    await releaseCopies(env.DB, accountId, copies);
  }
  await sendTask(env, { kind: 'pictures', accountId }, isBusy ? BUSY_SECONDS : 0);
}

/** @returns whether a host was too busy for some of them */
async function copyAll(
  env: Env,
  owner: Owner,
  { property, addresses, origin, actor, attempts }: Copies,
  clock: () => EpochMilliseconds,
): Promise<boolean> {
  const { DB } = env;
  const fail = (address: string, reason: CodedMessage) =>
    noteFailure(DB, owner.id, property, { address, reason });
  const named = new Set((await picturesOf(DB, owner.id, property)).map(addressOf));
  await forgetCopies(
    DB,
    owner.id,
    property,
    addresses.filter((address) => !named.has(address)),
  );
  const copied = new Map<string, TakenIn>();
  const pace = new HostPace(DB, addresses);
  let isBusy = false;
  // What has been copied before an interruption is not fetched again.
  let interruption: { readonly error: unknown } | undefined;
  const until = clock() + WORKING_MS;
  for (const address of addresses.filter((one) => named.has(one))) {
    if (clock() > until) break;
    if (attempts >= MAX_ATTEMPTS) {
      await fail(address, message('copy_interrupted', { times: MAX_ATTEMPTS }));
      continue;
    }
    try {
      copied.set(address, await copyOne(env, owner, { origin, address, pace }, clock));
    } catch (error) {
      if (error instanceof HostBusy) {
        isBusy = true;
        continue;
      }
      const reason = reasonOf(error);
      if (reason !== null) await fail(address, reason);
      else {
        interruption = { error };
        break;
      }
    }
  }
  await change(env, owner, { property, actor }, copied);
  if (interruption !== undefined) throw interruption.error;
  return isBusy;
}

/** Puts copies into the places of what they are copied from. */
async function change(
  env: Env,
  owner: Owner,
  { property, actor }: Pick<Copies, 'property' | 'actor'>,
  copied: ReadonlyMap<string, TakenIn>,
): Promise<void> {
  if (copied.size === 0) return;
  const background: Promise<unknown>[] = [];
  const executionCtx = { waitUntil: (work: Promise<unknown>) => void background.push(work) };
  const changing = { accountId: owner.id, actor, property, now: nowInSeconds() };
  try {
    await changePictures({ env, executionCtx }, changing, (pictures) =>
      pictures.map((entry) => {
        const address = addressOf(entry);
        const taken = copied.get(address);
        return taken === undefined
          ? entry
          : { ...pictureOf(entry), ...taken, copied_from: address };
      }),
    );
  } catch (error) {
    // The property was removed meanwhile, and the sweep finds the files.
    if (!isMissing(error)) throw error;
  }
  await Promise.allSettled(background);
  await forgetCopies(env.DB, owner.id, property, [...copied.keys()]);
}

/** The pictures of a property; none of one that does not exist. */
async function picturesOf(db: D1Database, accountId: number, property: string) {
  try {
    return await readPictures(db, accountId, property);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.code === 'property_not_found';
}

async function copyOne(
  env: Env,
  owner: Owner,
  {
    origin,
    address,
    pace,
  }: { readonly origin: string; readonly address: string; readonly pace: HostPace },
  clock: () => EpochMilliseconds,
): Promise<TakenIn> {
  const turn = (next: string) => pace.turn(next);
  const file = await fetchFile(address, UNKNOWN, { local: mayCallLocal(env), turn });
  const { chunks, length } = file!;
  const paced = atPace(chunks, clock);
  if ((length ?? 0) <= MAX_PICTURE_BYTES)
    return takeIn(env, owner, origin, paced, length ?? undefined);
  // A response that nobody begins to read keeps its connection.
  await paced.next();
  await paced.return(undefined);
  throw new PictureRefused('picture_too_large');
}

async function* atPace(chunks: AsyncIterable<Uint8Array>, clock: () => EpochMilliseconds) {
  const check = paceOf(clock);
  for await (const chunk of chunks) {
    check(chunk);
    yield chunk;
  }
}

/** Why a picture stays where it is; `null` for an error that it did not cause. */
function reasonOf(error: unknown): CodedMessage | null {
  if (error instanceof PictureRefused) return message(error.reason);
  return error instanceof ImportError ? error.reason : null;
}
