import type { Address } from '../../db/statements.ts';
import { invalidateReaders } from '../../feed/access/callers.ts';
import { newReaderKey } from '../../feed/request/credentials.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { DAY_SECONDS } from '../../lib/time/time.ts';
import { DEFAULT_OLD_KEY_DAYS } from '../../readers/api/reader.ts';
import * as readers from '../../readers/readers.ts';
import { ButtonLink, Card, Copyable, CopyButton, Notice } from '../frame/parts.tsx';
import type { Action, Sent, Visit } from '../pages.tsx';
import { portalPath } from '../paths.ts';
import { TEXTS } from '../texts/texts.ts';
import { type Page, useVisit, type Visitor, withTexts } from '../visit.ts';
import { findPortal, formatName } from './catalogue.ts';
import { formatOf } from './portal.ts';

/** The reader that the query names. */
export function findPortalReader({ c, db, account }: Visitor): Promise<readers.Reader | null> {
  return readers.findReader(db, { accountId: account.id, name: c.req.query('name') ?? '' });
}

/** Applies a change. Even if D1 fails, it may have been committed, so this isolate forgets the account's readers. */
export function changing<Result>(
  { visitor: { db, account }, subject }: Sent<readers.Reader>,
  change: (db: D1Database, at: Address) => Promise<Result>,
) {
  const address = { accountId: account.id, name: subject.name };
  return change(db, address).finally(() => invalidateReaders(account.id));
}

/** What people call a reader. */
export function titleOf({ title, name }: readers.Reader): string {
  return title ?? name;
}

function pausing(isPaused: boolean): Action<readers.Reader> {
  return async (sent) => {
    await changing(sent, (db, address) => readers.setReaderDisabled(db, address, isPaused));
    const { pausedDone, resumedDone } = TEXTS[sent.visitor.language].portals;
    const done = {
      did: isPaused ? 'portal.paused' : 'portal.resumed',
      notice: isPaused ? pausedDone : resumedDone,
    };
    return { ...done, with: titleOf(sent.subject) };
  };
}

/** What the buttons of a portal's page do: pausing, another key with the new address, which is shown once, disconnecting. */
export const portalActions: Readonly<Record<string, Action<readers.Reader>>> = {
  pause: pausing(true),
  resume: pausing(false),
  key: async (sent) => {
    const key = newReaderKey();
    const oldKeySeconds = sent.fields.has('close') ? 0 : DEFAULT_OLD_KEY_DAYS * DAY_SECONDS;
    await changing(sent, (db, address) =>
      readers.rotateKey(db, address, sha256Hex(key), oldKeySeconds),
    );
    const next = handOverPage(sent, { ...sent.subject, key, isNew: false });
    return { did: 'portal.key', with: titleOf(sent.subject), next };
  },
  delete: async (sent) => {
    await changing(sent, readers.deleteReader);
    return { did: 'portal.disconnected', with: titleOf(sent.subject), next: '/portals' };
  },
};

/** The steps of connecting a portal. */
export function Steps({ current }: { readonly current: 1 | 2 | 3 }) {
  const { texts } = useVisit('portals');
  return (
    <ol class="steps">
      {[texts.stepPortal, texts.stepContents, texts.stepHand].map((step, index) => (
        <li aria-current={index + 1 === current ? 'step' : undefined}>
          <i>{index + 1}</i> {step}
        </li>
      ))}
    </ol>
  );
}

interface HandedOver extends Pick<readers.Reader, 'name' | 'title' | 'portal' | 'preset'> {
  /** In clear: this page alone shows it. */
  readonly key: string;
  /** Whether the reader was just connected, and did not just get another key. */
  readonly isNew: boolean;
}

/** The address of a feed with its key, and a mail to hand it over. */
export function handOverPage({ visitor }: Visit<unknown>, reader: HandedOver): Page {
  const { c, account, language, texts } = withTexts(visitor, 'portals');
  const { name, key, isNew } = reader;
  const title = reader.title ?? name;
  const portal = findPortal(reader.portal);
  const format = formatOf(reader.portal === null ? undefined : portal.format);
  const { file } = format;
  const { origin } = new URL(c.req.url);
  // A portal that takes JSON sends no credentials of its own.
  const url = file.endsWith('.json')
    ? `${origin}/feeds/${account.code}/${key}/${file}`
    : `${origin}/${file}?U=OWNPROPERTIES@${account.code}&P=${key}`;
  const mail = (isNew ? texts.mail : texts.newKeyMail)({
    url,
    format: formatName(format, reader.preset, language),
    agency: account.name,
  });
  const subject = texts.mailSubject({ agency: account.name });
  const mailto = `mailto:${portal.email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(mail)}`;
  return {
    title: isNew ? texts.ready({ title }) : texts.newKeyReady({ title }),
    lead: texts.readyLead,
    crumbs: [[title, portalPath(name)]],
    content: [
      isNew && <Steps current={3} />,
      <Card title={texts.address}>
        <Copyable id="url" text={url} />
        <Notice kind="warn">{texts.onceOnly}</Notice>
      </Card>,
      <Card title={texts.mailTo({ title })}>
        <p class="prose" id="mail">
          {mail}
        </p>
        <div class="actions">
          <CopyButton of="mail" />
          <ButtonLink href={mailto} icon="mail" text={texts.openMail} />
        </div>
      </Card>,
      <Card title={isNew ? texts.waiting : texts.next}>
        <p class="muted">{isNew ? texts.waitingWhy : texts.newKeyNext}</p>
        <ButtonLink href={portalPath(name)} kind="primary" text={texts.toPortal} />
      </Card>,
    ],
  };
}
