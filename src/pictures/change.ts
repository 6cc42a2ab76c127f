import type { Actor } from '../accounts/actor.ts';
import type { WriteContext } from '../feed/invalidation/invalidate.ts';
import type { EpochSeconds } from '../lib/time/time.ts';
import { notFound, type Problem, ProblemError } from '../problem.ts';
import type { PropertyOperation } from '../properties/api/schemas.ts';
import { writeProperties } from '../properties/api/write.ts';
import { keyOf, type PropertyDocument } from '../properties/documents.ts';
import {
  addressOf,
  MAX_PICTURES,
  type Picture,
  type PictureEntry,
  pictureOf,
} from '../properties/pictures.ts';
import { readStored } from '../properties/store/read.ts';
import { digestIn } from './names.ts';
import type { TakenIn } from './take-in.ts';

/** A property whose pictures somebody changes. */
export interface Changing {
  readonly accountId: number;
  readonly actor: Actor;
  readonly property: string;
  readonly now: EpochSeconds;
}

type Change = Extract<PropertyOperation, { op: 'pictures' }>['change'];

/** The pictures of a property. @throws ProblemError if the account has no such property */
export async function readPictures(
  db: D1Database,
  accountId: number,
  property: string,
): Promise<readonly PictureEntry[]> {
  const asked = { kind: 'property', id: property } as PropertyDocument;
  const found = (await readStored(db, accountId, [asked])).get(keyOf('property', property));
  if (found === undefined) throw new ProblemError(notFound('property', property));
  return (found as PropertyDocument).pictures;
}

/**
 * Changes the pictures of a property, as they are when the change is written: of several changes at the same time, none is lost.
 *
 * @returns the pictures now
 * @throws ProblemError
 */
export async function changePictures(
  c: WriteContext,
  { accountId, actor, property, now }: Changing,
  change: Change,
): Promise<readonly PictureEntry[]> {
  const operation: PropertyOperation = { op: 'pictures', id: property, change };
  const options = { actor, atomic: true, now };
  const [result] = await writeProperties(c, accountId, [operation], options);
  if ('problem' in result!) throw new ProblemError(result.problem!);
  return result!.property!.pictures;
}

/** @throws ProblemError if a property has as many pictures as it can have */
export function checkRoom(pictures: readonly PictureEntry[]): void {
  if (pictures.length >= MAX_PICTURES) throw new ProblemError(TOO_MANY);
}

export const TOO_MANY: Problem = {
  code: 'too_many_pictures',
  detail: `A property has at most ${MAX_PICTURES} pictures.`,
};

/** Adds a picture at the end, unless the property has it. */
export function adding({ url, width, height }: TakenIn, kind: Picture['kind']): Change {
  return (pictures) => {
    if (pictures.some((entry) => addressOf(entry) === url)) return pictures;
    if (pictures.length >= MAX_PICTURES) return TOO_MANY;
    return [...pictures, { url, kind, width, height }];
  };
}

/** Adds the addresses that the property does not have. */
export function addingAddresses(addresses: readonly string[]): Change {
  return (pictures) => {
    const known = new Set(
      pictures.map(pictureOf).flatMap(({ url, copied_from }) => [url, copied_from ?? url]),
    );
    const added = new Set(addresses.filter((address) => !known.has(address)));
    const all = [...pictures, ...added];
    return all.length > MAX_PICTURES ? TOO_MANY : all;
  };
}

/**
 * Puts pictures into an order, with their kinds. Those that it does not mention follow in the order that they had: they may have
 * been added meanwhile.
 */
export function ordering(entries: readonly PictureEntry[]): Change {
  return (pictures) => {
    const left = new Map(pictures.map((entry) => [addressOf(entry), entry]));
    const ordered: PictureEntry[] = [];
    for (const entry of entries) {
      const address = addressOf(entry);
      const found = left.get(address);
      if (found === undefined) return notFound('picture', address);
      left.delete(address);
      ordered.push(typeof entry === 'string' ? found : { ...pictureOf(found), kind: entry.kind });
    }
    return [...ordered, ...left.values()];
  };
}

/** Moves a picture by a number of places. */
export function moving(address: string, by: number): Change {
  return (pictures) => {
    const from = pictures.findIndex((entry) => addressOf(entry) === address);
    if (from === -1) return notFound('picture', address);
    const to = Math.min(Math.max(from + by, 0), pictures.length - 1);
    return pictures.toSpliced(from, 1).toSpliced(to, 0, pictures[from]!);
  };
}

/** Says what a picture shows. */
export function kindOf(address: string, kind: Picture['kind']): Change {
  return (pictures) => {
    const at = pictures.findIndex((entry) => addressOf(entry) === address);
    if (at === -1) return notFound('picture', address);
    return pictures.with(at, { ...pictureOf(pictures[at]!), kind });
  };
}

/** Puts a picture back to its place, unless the property has it. */
export function restoring(entry: PictureEntry, place: number): Change {
  return (pictures) => {
    const address = addressOf(entry);
    if (pictures.some((other) => addressOf(other) === address)) return pictures;
    return pictures.length >= MAX_PICTURES ? TOO_MANY : pictures.toSpliced(place, 0, entry);
  };
}

/** Removes the picture at an address, or with a digest. */
export function removing(isIt: (address: string) => boolean, name: string): Change {
  return (pictures) => {
    const others = pictures.filter((entry) => !isIt(addressOf(entry)));
    return others.length === pictures.length ? notFound('picture', name) : others;
  };
}

export function removingDigest(code: string, digest: string): Change {
  return removing((address) => digestIn(code, address) === digest, digest);
}
