import { pingWebhook } from '../../api/webhooks/deliver.ts';
import { findWebhook, listAttempts, type Webhook } from '../../db/news/webhooks.ts';
import { Ago, formatNumber } from '../format.tsx';
import { ButtonForm } from '../frame/fields.tsx';
import { ButtonLink, Chip, Item, Notice } from '../frame/parts.tsx';
import { TableCard } from '../frame/table.tsx';
import { may, notFoundPage } from '../guards.tsx';
import { query } from '../paths.ts';
import { pageOf, type Visit } from '../subject.tsx';
import { SETTINGS } from '../texts/texts.ts';
import { type Page, useGuest, useTexts } from '../visit.ts';

/** The webhooks of an account. */
export function Webhooks({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const texts = useTexts(SETTINGS);
  const reference = <ButtonLink href="/docs">{useGuest().texts.apiReference}</ButtonLink>;
  const none = { icon: 'webhook', text: texts.noWebhooks, why: texts.noWebhooksWhy, action: reference } as const;
  return (
    <TableCard
      title={texts.webhooks}
      none={none}
      columns={[[texts.name], [texts.url], [texts.received, 'num'], [texts.state]]}
      rows={webhooks.map((webhook) => [
        <Item href={pathOf(webhook)} title={webhook.name} />,
        <code>{webhook.url}</code>,
        texts.confirmed({ confirmed: webhook.confirmedNumber, all: webhook.number }),
        <WebhookState webhook={webhook} />,
      ])}
    />
  );
}

function WebhookState({ webhook: { enabled, failingSince } }: { readonly webhook: Webhook }) {
  const texts = useTexts(SETTINGS);
  if (!enabled) return <Chip tone="bad">{texts.off}</Chip>;
  return failingSince === null ? <Chip tone="good">{texts.working}</Chip> : <Chip tone="warn">{texts.failing}</Chip>;
}

function pathOf({ name }: Webhook): string {
  return `/settings/webhook?${query({ name })}`;
}

/** A webhook with its last calls, and a button that calls it with a ping. */
export const webhook = pageOf({
  find: (c, { account }) => findWebhook(c.env.DB, { accountId: account.id, name: c.req.query('name') ?? '' }),
  show: webhookPage,
  actions: {
    test: async (sent) => {
      const { c, visitor, subject } = sent;
      const attempt = await pingWebhook(c.env, { accountId: visitor.account.id, name: subject.name }, visitor.now);
      if (attempt === null) return notFoundPage(visitor);
      const { status, error } = attempt;
      const isFine = status !== null && status >= 200 && status < 300;
      const text = SETTINGS[visitor.language].tested({ answer: error ?? String(status) });
      const notice = <Notice kind={isFine ? 'good' : 'bad'}>{text}</Notice>;
      return { did: 'webhook.tested', with: subject.name, next: { ...(await webhookPage(sent)), notice } };
    },
  },
});

async function webhookPage({ c, visitor, subject: webhook }: Visit<Webhook>): Promise<Page> {
  const { language, account } = visitor;
  const texts = SETTINGS[language];
  const attempts = await listAttempts(c.env.DB, { accountId: account.id, name: webhook.name });
  return {
    title: webhook.name,
    lead: webhook.url,
    actions: (
      <>
        <WebhookState webhook={webhook} />
        {may(visitor, 'editor') && <ButtonForm action={pathOf(webhook)} buttons={[['test', texts.test, 'primary']]} />}
      </>
    ),
    content: (
      <TableCard
        title={texts.attempts}
        none={{ icon: 'clock', text: texts.noAttempts }}
        columns={[[texts.when], [texts.answer], [texts.took, 'num']]}
        rows={attempts.map(({ attemptedAt, status, error, answer, milliseconds }) => [
          <Ago seconds={attemptedAt} />,
          `${status ?? ''} ${error ?? answer}`.trim(),
          `${formatNumber(milliseconds, language)} ms`,
        ])}
      />
    ),
  };
}
