import type { Address } from '../../db/statements.ts';
import { invalidateReaders } from '../../feed/access/callers.ts';
import { newReaderKey } from '../../feed/request/credentials.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { DAY_SECONDS } from '../../lib/time/time.ts';
import { DEFAULT_OLD_KEY_DAYS } from '../../readers/api/reader.ts';
import * as readers from '../../readers/readers.ts';
import type { Action } from '../define-page.tsx';
import { ButtonForm } from '../frame/form.tsx';
import { Icon } from '../frame/icon.tsx';
import { ButtonLink, Card, Copyable, CopyButton, Notice } from '../frame/parts.tsx';
import { type PortalKey, showOnce } from '../once/once.ts';
import { portalPath } from '../paths.ts';
import { textsOf } from '../texts/texts.ts';
import { type Page, useTexts, type Visitor } from '../visit.ts';
import { findPortal, formatName } from './catalogue.ts';
import { formatOf } from './portal.ts';

/** The reader that the query names. */
export function findPortalReader({ c, db, account }: Visitor): Promise<readers.Reader | null> {
  return readers.findReader(db, { accountId: account.id, name: c.req.query('name') ?? '' });
}

/** Applies a change. Even if D1 fails, it may have been committed, so this isolate forgets the account's readers. */
export function changing<Result>(
  { db, account }: Visitor,
  { name }: readers.Reader,
  change: (db: D1Database, at: Address) => Promise<Result>,
) {
  const address = { accountId: account.id, name };
  return change(db, address).finally(() => invalidateReaders(account.id));
}

/** What people call a reader. */
export function titleOf({ title, name }: readers.Reader): string {
  return title ?? name;
}

function pausing(isPaused: boolean): Action<readers.Reader> {
  return async (visitor, reader) => {
    await changing(visitor, reader, (db, address) =>
      readers.setReaderDisabled(db, address, isPaused),
    );
    return {
      did: isPaused ? 'portal.paused' : 'portal.resumed',
      with: titleOf(reader),
      next: portalPath(reader.name),
      flash: { messages: [{ code: isPaused ? 'portalPaused' : 'portalResumed' }] },
    };
  };
}

/** What the buttons of a portal's page do: pausing, another key with the new address, which is shown once, disconnecting. */
export const portalActions: Readonly<Record<string, Action<readers.Reader>>> = {
  pause: pausing(true),
  resume: pausing(false),
  key: async (visitor, reader, fields) => {
    const key = newReaderKey();
    const oldKeySeconds = fields.has('close') ? 0 : DEFAULT_OLD_KEY_DAYS * DAY_SECONDS;
    await changing(visitor, reader, (db, address) =>
      readers.rotateKey(db, address, sha256Hex(key), oldKeySeconds),
    );
    const next = await showOnce(visitor, portalKey(reader, key, false));
    return { did: 'portal.key', with: titleOf(reader), next };
  },
  delete: async (visitor, reader) => {
    await changing(visitor, reader, readers.deleteReader);
    return { did: 'portal.disconnected', with: titleOf(reader), next: '/portals' };
  },
};

/** The key of a reader, to be handed over. */
export function portalKey(
  reader: Pick<readers.Reader, 'name' | 'title' | 'portal' | 'preset'>,
  key: string,
  isNew: boolean,
): PortalKey {
  const { name, portal, preset } = reader;
  return { kind: 'portal', name, title: reader.title ?? name, portal, preset, key, isNew };
}

/** The steps of connecting a portal. */
export function Steps({ current }: { readonly current: 1 | 2 | 3 }) {
  const texts = useTexts('portals');
  return (
    <ol class="steps">
      {[texts.stepPortal, texts.stepContents, texts.stepHand].map((step, index) => (
        <li aria-current={index + 1 === current ? 'step' : undefined}>
          <i>{index + 1 < current ? <Icon name="check" /> : index + 1}</i> {step}
        </li>
      ))}
    </ol>
  );
}

/** The address of a feed with its key, and a mail to hand it over. */
export function handOverPage(visitor: Visitor, handedOver: PortalKey): Page {
  const { c, account, language } = visitor;
  const texts = textsOf(visitor, 'portals');
  const { name, title, key, isNew } = handedOver;
  const portal = findPortal(handedOver.portal);
  const format = formatOf(handedOver.portal === null ? undefined : portal.format);
  const { file } = format;
  const { origin } = new URL(c.req.url);
  // A portal that takes JSON sends no credentials of its own.
  const url = file.endsWith('.json')
    ? `${origin}/feeds/${account.code}/${key}/${file}`
    : `${origin}/${file}?U=OWNPROPERTIES@${account.code}&P=${key}`;
  const mail = (isNew ? texts.mail : texts.newKeyMail)({
    url,
    format: formatName(format, handedOver.preset, language),
    agency: account.name,
  });
  const subject = texts.mailSubject({ agency: account.name });
  const mailto = `mailto:${portal.email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(mail)}`;
  return {
    title: isNew ? texts.ready({ title }) : texts.newKeyReady({ title }),
    lead: texts.readyLead,
    crumbs: [
      { name: visitor.common.portals, href: '/portals' },
      { name: title, href: portalPath(name) },
    ],
    content: (
      <>
        {isNew && <Steps current={3} />}
        <Card title={texts.address}>
          <Copyable id="url" text={url} />
          <Notice kind="warn">{texts.onceOnly}</Notice>
        </Card>
        <Card title={texts.mailTo({ title })}>
          <p class="prose" id="mail">
            {mail}
          </p>
          <div class="actions">
            <CopyButton of="mail" />
            <ButtonLink href={mailto} icon="mail" text={texts.openMail} />
          </div>
        </Card>
        <Card title={isNew ? texts.waiting : texts.next}>
          <p class="muted">{isNew ? texts.waitingWhy : texts.newKeyNext}</p>
          <ButtonForm buttons={[{ does: 'done', text: texts.toPortal, kind: 'primary' }]} />
        </Card>
      </>
    ),
  };
}
