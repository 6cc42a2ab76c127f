import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { pingWebhook } from '../../api/webhooks/manage.ts';
import { findWebhook, listAttempts } from '../../db/news/webhooks.ts';
import type { AppEnv } from '../../env.ts';
import { Ago, formatNumber } from '../format.tsx';
import { Button, Card, Notice } from '../frame/parts.tsx';
import { Table } from '../frame/table.tsx';
import { may, notFoundPage, recordDone } from '../guards.tsx';
import { query } from '../paths.ts';
import { SETTINGS } from '../texts/texts.ts';
import type { Page, Visitor } from '../visit.ts';
import { WebhookState } from './page.tsx';

/** A webhook with its last calls. */
export async function showWebhook(c: Context<AppEnv>, visitor: Visitor, notice?: Child): Promise<Page> {
  const { language, account } = visitor;
  const texts = SETTINGS[language];
  const address = { accountId: account.id, name: c.req.query('name') ?? '' };
  const webhook = await findWebhook(c.env.DB, address);
  if (webhook === null) return notFoundPage(visitor);
  const attempts = await listAttempts(c.env.DB, address);
  return {
    title: webhook.name,
    lead: webhook.url,
    crumbs: [[texts.title, '/settings']],
    notice,
    actions: (
      <>
        <WebhookState webhook={webhook} />
        {may(visitor, 'editor') && (
          <form method="post" action={`/settings/webhook?${query({ name: webhook.name })}`}>
            <Button kind="primary">{texts.test}</Button>
          </form>
        )}
      </>
    ),
    content: (
      <Card title={texts.attempts} flush empty={attempts.length === 0 && { icon: 'clock', text: texts.noAttempts }}>
        <Table
          label={texts.attempts}
          columns={[[texts.when], [texts.answer], [texts.took, 'num']]}
          rows={attempts.map(({ attemptedAt, status, error, answer, milliseconds }) => [
            <Ago seconds={attemptedAt} />,
            `${status ?? ''} ${error ?? answer}`.trim(),
            `${formatNumber(milliseconds, language)} ms`,
          ])}
        />
      </Card>
    ),
  };
}

/** Calls a webhook with a ping, and shows how it answered. */
export async function testWebhook(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const name = c.req.query('name') ?? '';
  const attempt = await pingWebhook(c.env, { accountId: visitor.account.id, name }, visitor.now);
  if (attempt === null) return notFoundPage(visitor);
  await recordDone(c, visitor, 'webhook.tested', name);
  const { status, error } = attempt;
  const isFine = status !== null && status >= 200 && status < 300;
  const text = SETTINGS[visitor.language].tested({ answer: error ?? String(status) });
  return showWebhook(c, visitor, <Notice kind={isFine ? 'good' : 'bad'}>{text}</Notice>);
}
