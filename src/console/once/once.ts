import { randomBytes } from 'node:crypto';
import { withQuery } from '../paths.ts';
import { carried, carry, forget } from '../session/carried.ts';
import type { Visitor } from '../visit.ts';

/** What is shown on a page of its own: of a program that uses the API, of a webhook, of a person. */
export type OwnSecret =
  | { readonly kind: 'client' | 'webhook'; readonly id: string; readonly secret: string }
  /** The link with which somebody chooses their password. */
  | { readonly kind: 'invitation'; readonly name: string; readonly link: string }
  /** Codes that sign a person in once instead of the second factor. */
  | { readonly kind: 'recovery'; readonly codes: readonly string[] };

/** The key of a portal, which is handed over in the address of its feed. */
export interface PortalKey {
  readonly kind: 'portal';
  readonly name: string;
  readonly title: string;
  /** The portal of the list, and the parameters that it gets. */
  readonly portal: string | null;
  readonly preset: string;
  readonly key: string;
  /** Whether it was just connected, and did not just get another key. */
  readonly isNew: boolean;
}

/** What is stored only as a digest, so that nobody can look it up later. */
export type Secret = OwnSecret | PortalKey;

/** How long a secret can be looked at after it was made, unless that is ended before. */
const LIFETIME_SECONDS = 600;

const PATH = '/shown-once';

function nameOf(id: string): string {
  return `once-${id}`;
}

/** What a secret is sealed for: the session that has made it. */
function contextOf({ account, session }: Visitor): string {
  return `${account.id}:${session}`;
}

/**
 * Keeps a secret for this session, in a cookie of its browser.
 *
 * @returns the path of the page that shows it
 */
export async function showOnce(visitor: Visitor, secret: Secret): Promise<string> {
  const id = randomBytes(6).toString('base64url');
  const { c } = visitor;
  if (!(await carry(c, nameOf(id), secret, contextOf(visitor), LIFETIME_SECONDS)))
    throw new Error(`No cookie has room for a ${secret.kind}`);
  return withQuery(PATH, { id });
}

/** The identifier of a secret in the query. */
function wanted({ c }: Visitor): string {
  const id = c.req.query('id') ?? '';
  return /^[\w-]{8}$/.test(id) ? id : '';
}

/** The secret that the query names; `null` once its time is over. */
export function findShown(visitor: Visitor): Promise<Secret | null> {
  return carried<Secret>(visitor.c, nameOf(wanted(visitor)), contextOf(visitor));
}

/** Ends that the secret in the query can be looked at. */
export function forgetShown(visitor: Visitor): void {
  forget(visitor.c, nameOf(wanted(visitor)));
}
