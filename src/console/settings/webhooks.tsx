import { validate } from '../../api/validation.ts';
import { pingWebhook } from '../../changes/webhooks/deliver.ts';
import { EVENTS } from '../../changes/webhooks/events.ts';
import { rotateSecret, saveWebhook } from '../../changes/webhooks/manage.ts';
import { DEFAULT_OLD_SECRET_DAYS, webhookSettings } from '../../changes/webhooks/schemas.ts';
import {
  type Attempt,
  deleteWebhook,
  findWebhook,
  listAttempts,
  listWebhooks,
  MAX_WEBHOOKS,
  switchWebhook,
  type Webhook,
} from '../../changes/webhooks/webhooks.ts';
import type { Address } from '../../db/statements.ts';
import { isShortName } from '../../lib/short-name.ts';
import { ProblemError } from '../../problem.ts';
import { sendTask } from '../../tasks/tasks.ts';
import { type Action, type Done, definePage, type Refusal } from '../define-page.tsx';
import { type FlashMessage, SAVED } from '../flash.tsx';
import { formatNumber, formatWhen } from '../format.ts';
import { type ActionButton, ButtonForm, Deletion, FormCard } from '../frame/form.tsx';
import { Ago, ButtonLink, Chip, Item, Notice, TableCard } from '../frame/parts.tsx';
import { showOnce } from '../once/once.ts';
import { withQuery } from '../paths.ts';
import { errorsByField, inWords, textsOf } from '../texts/texts.ts';
import {
  type FormState,
  type Guest,
  type Page,
  useTexts,
  useVisitor,
  type Visitor,
} from '../visit.ts';

const LIST = '/settings/webhooks';
const WEBHOOK = '/settings/webhook';

/** The webhooks of an account. */
export async function showWebhooks(visitor: Visitor): Promise<Page> {
  const { db, account, isEditor } = visitor;
  const texts = textsOf(visitor, 'settings');
  const webhooks = await listWebhooks(db, account.id, null, MAX_WEBHOOKS);
  const wrong = webhooks.filter((one) => !one.enabled || one.failingSince !== null).length;
  return {
    title:
      webhooks.length > 0 && wrong === 0
        ? texts.webhooksWork
        : wrong > 0
          ? texts.webhooksFail({ count: wrong })
          : texts.noWebhooks,
    lead: texts.noWebhooksWhy,
    actions: isEditor && (
      <ButtonLink href={WEBHOOK} icon="plus" kind="primary" text={texts.newWebhook} />
    ),
    content: webhooks.length > 0 && (
      <TableCard
        title={texts.sections.webhooks}
        columns={[texts.name, { numbers: texts.received }, texts.state]}
        rows={webhooks.map((webhook) => [
          <Item href={webhookPath(webhook)} title={webhook.name} note={webhook.url} />,
          texts.confirmed({ confirmed: webhook.confirmedNumber, all: webhook.number }),
          <WebhookState webhook={webhook} />,
        ])}
      />
    ),
  };
}

function WebhookState({ webhook: { enabled, failingSince } }: { readonly webhook: Webhook }) {
  const texts = useTexts('settings');
  if (!enabled) return <Chip tone="bad">{texts.off}</Chip>;
  return failingSince === null ? (
    <Chip tone="good">{texts.working}</Chip>
  ) : (
    <Chip tone="warn">{texts.failing}</Chip>
  );
}

function webhookPath({ name }: Pick<Webhook, 'name'>): string {
  return withQuery(WEBHOOK, { name });
}

/** Why a webhook does not receive all news; `null` if it does, or if somebody has switched it off. */
export function troubleOf({ disabledBecause, failingSince }: Webhook, guest: Guest): string | null {
  const texts = textsOf(guest, 'home');
  if (disabledBecause === 'gone') return texts.webhookGone;
  return failingSince === null
    ? null
    : texts.webhookFailing({ when: formatWhen(failingSince, guest) });
}

function addressOf({ account }: Visitor, { name }: Pick<Webhook, 'name'>): Address {
  return { accountId: account.id, name };
}

function switchingWebhook(isOn: boolean): Action<Webhook> {
  return async (visitor, webhook) => {
    const { c, db, account } = visitor;
    await switchWebhook(db, addressOf(visitor, webhook), isOn);
    if (isOn) await sendTask(c.env, { kind: 'webhooks', accountId: account.id });
    const did = isOn ? 'webhook.on' : 'webhook.off';
    return { did, with: webhook.name, next: webhookPath(webhook) };
  };
}

/** Creates a webhook, or changes one; the secret of a new one is shown once. */
async function save(
  visitor: Visitor,
  webhook: Webhook | undefined,
  fields: URLSearchParams,
): Promise<Done | Refusal> {
  const { c, db, account, language } = visitor;
  const texts = textsOf(visitor, 'settings');
  const name = webhook?.name ?? (fields.get('name') ?? '').trim();
  const address = { accountId: account.id, name };
  if (!isShortName(name)) return { errors: { name: texts.webhookNameInvalid } };
  if (webhook === undefined && (await findWebhook(db, address)) !== null)
    return { errors: { name: texts.webhookTaken } };
  const url = (fields.get('url') ?? '').trim();
  const enabled = webhook?.enabled ?? true;
  const given = validate(webhookSettings, { url, events: fields.getAll('events'), enabled });
  if ('errors' in given) return { errors: errorsByField(given.errors, language) };
  try {
    const secret = await saveWebhook(c.env, address, given.value, new URL(c.req.url).origin);
    const did = { did: 'webhook.saved', with: name };
    if (secret === null) return { ...did, next: webhookPath(address), flash: SAVED };
    return { ...did, next: await showOnce(visitor, { kind: 'webhook', id: name, secret }) };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { errors } = error.problem;
    return errors ? { errors: errorsByField(errors, language) } : { why: texts.tooManyWebhooks };
  }
}

/** A webhook: its address and news, its last calls, and buttons that call it; or the form for a new one. */
export const webhook = definePage<Webhook | undefined>({
  find: async ({ c, db, account, isEditor }) => {
    const name = c.req.query('name');
    if (name === undefined) return isEditor ? undefined : null;
    return findWebhook(db, { accountId: account.id, name });
  },
  settings: ({ url, events }) => ({ url, events }),
  show: webhookPage,
  create: save,
  actions: {
    save,
    on: switchingWebhook(true),
    off: switchingWebhook(false),
    rotate: async (visitor, webhook) => {
      const { c, now } = visitor;
      const { name } = webhook;
      const days = DEFAULT_OLD_SECRET_DAYS;
      const secret = await rotateSecret(c.env, addressOf(visitor, webhook), days, now);
      const next = await showOnce(visitor, { kind: 'webhook', id: name, secret });
      return { did: 'webhook.rotated', with: name, next };
    },
    delete: async (visitor, webhook) => {
      await deleteWebhook(visitor.db, addressOf(visitor, webhook));
      return { did: 'webhook.deleted', with: webhook.name, next: LIST };
    },
    test: async (visitor, webhook) => {
      const { name } = webhook;
      const attempt = await pingWebhook(visitor.c.env, addressOf(visitor, webhook), visitor.now);
      if (attempt === null) return null;
      const { status } = attempt;
      const isFine = status !== null && status >= 200 && status < 300;
      const message: FlashMessage =
        status === null
          ? { code: 'webhookUnanswered' }
          : { code: 'webhookAnswered', values: { status } };
      return {
        did: 'webhook.tested',
        with: name,
        next: webhookPath(webhook),
        flash: { kind: isFine ? 'good' : 'bad', messages: [message] },
      };
    },
  },
});

async function webhookPage(
  visitor: Visitor,
  webhook: Webhook | undefined,
  form: FormState,
): Promise<Page> {
  const { isEditor } = visitor;
  const texts = textsOf(visitor, 'settings');
  const name = { required: true, maxlength: 40, autocomplete: 'off' };
  const card = (
    <FormCard
      form={form}
      title={texts.webhook}
      cancel={webhook ? undefined : LIST}
      submit={webhook ? visitor.common.save : texts.createWebhook}
      fields={{
        name: webhook ? undefined : name,
        url: { required: true, inputmode: 'url', autocomplete: 'off', spellcheck: false },
        events: {
          type: 'checkbox',
          options: EVENTS.map((event) => [event, texts.events[event]] as const),
          chosen: webhook?.events ?? [...EVENTS],
        },
      }}
      texts={{ ...texts, nameHint: texts.webhookNameHint, events: texts.whatNews }}
      values={{ url: webhook?.url ?? '' }}
    />
  );
  if (webhook === undefined)
    return { title: texts.newWebhook, lead: texts.newWebhookLead, content: card };
  const trouble = troubleOf(webhook, visitor);
  const buttons: ActionButton[] = [{ does: 'test', text: texts.test }];
  if (trouble !== null || !webhook.enabled)
    buttons.unshift({ does: 'on', text: texts.callAgain, kind: 'primary' });
  if (webhook.enabled) buttons.unshift({ does: 'off', text: texts.switchOff });
  return {
    title: webhook.name,
    lead: webhook.url,
    actions: (
      <>
        <WebhookState webhook={webhook} />
        {isEditor && <ButtonForm buttons={buttons} />}
      </>
    ),
    content: (
      <>
        {trouble && <Notice kind="bad">{trouble}</Notice>}
        <Attempts attempts={await listAttempts(visitor.db, addressOf(visitor, webhook))} />
        {isEditor && card}
        {isEditor && <Deletion title={texts.rotate} why={texts.rotateWebhookWhy} does="rotate" />}
        {isEditor && <Deletion title={texts.deleteWebhook} why={texts.deleteWebhookWhy} />}
      </>
    ),
  };
}

function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const { language } = useVisitor();
  const texts = useTexts('settings');
  return (
    <TableCard
      title={texts.attempts}
      none={{ icon: 'clock', text: texts.noAttempts }}
      columns={[texts.when, texts.answer, { numbers: texts.took }]}
      rows={attempts.map((attempt) => [
        <Ago seconds={attempt.attemptedAt} />,
        attempt.reason === null
          ? `${attempt.status ?? ''} ${attempt.response}`.trim()
          : inWords(language, attempt.reason),
        `${formatNumber(attempt.milliseconds, language)} ms`,
      ])}
    />
  );
}
