import { definePage } from '../define-page.tsx';
import { ButtonForm } from '../frame/form.tsx';
import { ButtonLink, Card, Copyable, Facts, Notice } from '../frame/parts.tsx';
import { notFoundPage } from '../pages.tsx';
import { portalPath, withQuery } from '../paths.ts';
import { handOverPage } from '../portals/change.tsx';
import { textsOf } from '../texts/texts.ts';
import type { Crumb, Page, Visitor } from '../visit.ts';
import { findShown, forgetShown, type OwnSecret, type Secret } from './once.ts';

/** A secret that was just made: it can be looked at, and loaded again, until that is ended or ten minutes are over. */
export const shownOnce = definePage<Secret | undefined>({
  find: async (visitor) => (await findShown(visitor)) ?? undefined,
  show: (visitor, secret) => {
    if (secret === undefined) return notFoundPage(visitor, visitor.common.shownOnceGone);
    return secret.kind === 'portal' ? handOverPage(visitor, secret) : secretPage(visitor, secret);
  },
  actions: {
    done: async (visitor, secret) => {
      forgetShown(visitor);
      const isPortal = secret.kind === 'portal';
      return { next: isPortal ? portalPath(secret.name) : shownOf(visitor, secret).page.href };
    },
  },
});

/** What a page says of a secret. */
interface Shown extends Pick<Page, 'title' | 'lead'> {
  /** What it is of. */
  readonly page: Crumb;
  /** What is to be copied, by name. */
  readonly values: Readonly<Record<string, string>>;
  /** Why now. */
  readonly why: string;
}

function shownOf(visitor: Visitor, secret: OwnSecret): Shown {
  const texts = textsOf(visitor, 'settings');
  const { sections } = texts;
  switch (secret.kind) {
    case 'client':
      return {
        title: texts.secretTitle({ id: secret.id }),
        lead: texts.secretLead,
        page: {
          name: sections.programs,
          href: withQuery('/settings/client', { id: secret.id }),
        },
        values: { client_id: secret.id, client_secret: secret.secret },
        why: texts.secretOnce,
      };
    case 'webhook':
      return {
        title: texts.secretTitle({ id: secret.id }),
        lead: texts.webhookSecretLead,
        page: {
          name: sections.webhooks,
          href: withQuery('/settings/webhook', { name: secret.id }),
        },
        values: { [texts.secret]: secret.secret },
        why: texts.secretOnce,
      };
    case 'invitation':
      return {
        title: texts.linkTitle({ name: secret.name }),
        lead: texts.linkLead,
        page: { name: sections.people, href: '/settings' },
        values: { [texts.link]: secret.link },
        why: texts.linkOnce,
      };
    case 'recovery':
      return {
        title: texts.recoveryTitle,
        lead: texts.recoveryLead,
        page: { name: sections.signIn, href: '/settings/sign-in' },
        values: { [texts.recoveryCodes]: secret.codes.join('\n') },
        why: texts.recoveryOnce,
      };
  }
}

/** What no other page shows, with the button that ends that it can be looked at. */
function secretPage(visitor: Visitor, secret: OwnSecret): Page {
  const { common } = visitor;
  const texts = textsOf(visitor, 'settings');
  const { page, values, why, ...head } = shownOf(visitor, secret);
  const isForProgram = secret.kind === 'client' || secret.kind === 'webhook';
  return {
    ...head,
    crumbs: [{ name: common.settings, href: '/settings' }, page],
    content: (
      <Card title={texts.once}>
        {Object.entries(values).map(([name, text], index) => (
          <Facts kind="tall" facts={[[name, <Copyable id={`shown-${index}`} text={text} />]]} />
        ))}
        <Notice kind="warn">{why}</Notice>
        <div class="actions">
          {isForProgram && <ButtonLink href="/docs" text={common.apiReference} />}
          <ButtonForm buttons={[{ does: 'done', text: texts.done, kind: 'primary' }]} />
        </div>
      </Card>
    ),
  };
}
