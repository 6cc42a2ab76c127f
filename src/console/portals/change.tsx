import type { Context } from 'hono';
import { DAY_SECONDS, DEFAULT_OLD_KEY_DAYS } from '../../api/readers/reader.ts';
import {
  deleteReader,
  findReader,
  type Reader,
  type ReaderAddress,
  rotateKey,
  setReaderDisabled,
} from '../../db/readers/readers.ts';
import type { AppEnv } from '../../env.ts';
import { invalidateReaders } from '../../feed/access/callers.ts';
import { newReaderKey } from '../../feed/request/credentials.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { Choice, Submit } from '../frame/form.tsx';
import { portalPath, query } from '../paths.ts';
import { type Action, pageOf, type Sent } from '../subject.tsx';
import { PORTAL_TEXTS } from '../texts/texts.ts';
import type { Visitor } from '../visit.ts';
import { handOverPage } from './hand-over.tsx';

/** The reader that the query names. */
export function findPortalReader(c: Context<AppEnv>, { account }: Visitor): Promise<Reader | null> {
  return findReader(c.env.DB, { accountId: account.id, name: c.req.query('name') ?? '' });
}

/** Applies a change. Even if D1 fails, it may have been committed, so this isolate forgets the account's readers. */
export function changing<Result>(
  { c, visitor, subject }: Sent<Reader>,
  change: (db: D1Database, at: ReaderAddress) => Promise<Result>,
) {
  const accountId = visitor.account.id;
  return change(c.env.DB, { accountId, name: subject.name }).finally(() => invalidateReaders(accountId));
}

/** What people call a reader. */
export function titleOf({ title, name }: Reader): string {
  return title ?? name;
}

/** Pauses a portal, or resumes it. */
export function pausing(isPaused: boolean): Action<Reader> {
  return async (sent) => {
    await changing(sent, (db, address) => setReaderDisabled(db, address, isPaused));
    const next = `${portalPath(sent.subject.name)}&done=${isPaused ? 'pausedDone' : 'resumedDone'}`;
    return { did: isPaused ? 'portal.paused' : 'portal.resumed', with: titleOf(sent.subject), next };
  };
}

/** Another key, and the new address, which is shown once. */
export const newKey = questionOf('key', 'primary', async (sent) => {
  const key = newReaderKey();
  const oldKeySeconds = sent.fields.has('sure') ? 0 : DEFAULT_OLD_KEY_DAYS * DAY_SECONDS;
  await changing(sent, (db, address) => rotateKey(db, address, sha256Hex(key), oldKeySeconds));
  const next = await handOverPage(sent, { ...sent.subject, key, isNew: false });
  return { did: 'portal.key', with: titleOf(sent.subject), next };
});

export const disconnection = questionOf('disconnect', 'danger', async (sent) => {
  await changing(sent, deleteReader);
  return { did: 'portal.disconnected', with: titleOf(sent.subject), next: '/portals' };
});

/** A question before something that concerns a portal is done. */
function questionOf(name: 'key' | 'disconnect', kind: 'primary' | 'danger', save: Action<Reader>) {
  return pageOf({
    find: findPortalReader,
    show: ({ visitor, subject }) => {
      const { title, lead, choice, button } = PORTAL_TEXTS[visitor.language].questions[name];
      const back = portalPath(subject.name);
      return {
        title: title({ title: titleOf(subject) }),
        lead,
        crumbs: [[titleOf(subject), back]],
        content: (
          <form method="post" action={`/portals/${name}?${query({ name: subject.name })}`} class="stack">
            {choice && (
              <Choice name="sure" checked={false}>
                {choice}
              </Choice>
            )}
            <Submit kind={kind} cancel={back}>
              {button}
            </Submit>
          </form>
        ),
      };
    },
    actions: { save },
  });
}
