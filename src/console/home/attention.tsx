import type { Webhook } from '../../db/news/webhooks.ts';
import type { Report } from '../../rules/report.ts';
import { formatAgo, formatDay, formatDuration } from '../format.tsx';
import { ButtonLink, type Todo } from '../frame/parts.tsx';
import { portalPath, query } from '../paths.ts';
import type { PortalView } from '../portals/portal.ts';
import { HOME } from '../texts/texts.ts';
import type { Guest } from '../visit.ts';

/** Seconds after which a portal that has not come for the first time is worth a word. */
const NEW_SECONDS = 86_400;

/** Seconds before an old key ends in which that is worth a word. */
const KEY_SECONDS = 7 * 86_400;

/** Rules with errors that are listed: the rest is in the report. */
const MAX_RULES = 3;

/** What somebody of the agency has to see to, the most urgent first. */
export function attention(
  guest: Guest,
  portals: readonly PortalView[],
  report: Report | null,
  webhooks: readonly Webhook[],
): Todo[] {
  return [
    ...portals.flatMap((portal) => aboutPortal(guest, portal)),
    ...webhooks.flatMap((webhook) => aboutWebhook(guest, webhook)),
    ...(report === null ? [] : aboutListings(guest, report)),
  ];
}

function aboutPortal(guest: Guest, { title, name, state, lastVisit, usualInterval, reader }: PortalView): Todo[] {
  const { language, now } = guest;
  const texts = HOME[language];
  const action = <ButtonLink href={portalPath(name)}>{texts.seePortal}</ButtonLink>;
  const todos: Todo[] = [];
  if (state === 'overdue' && lastVisit !== null) {
    todos.push({
      icon: 'portals',
      tone: 'bad',
      text: texts.overdue({ title, when: formatAgo(lastVisit, now, language) }),
      why: texts.overdueWhy({ interval: formatDuration(usualInterval ?? 0, language) }),
      action,
    });
  }
  if (state === 'never' && now - reader.createdAt > NEW_SECONDS) {
    const why = texts.neverWhy({ when: formatAgo(reader.createdAt, now, language) });
    todos.push({ icon: 'clock', tone: 'info', text: texts.neverCame({ title }), why, action });
  }
  if (reader.keysExpireAt !== null && reader.keysExpireAt - now < KEY_SECONDS) {
    const text = texts.keyEnds({ title, when: formatDay(reader.keysExpireAt, now, language) });
    todos.push({ icon: 'key', tone: 'warn', text, why: texts.keyWhy, action });
  }
  return todos;
}

function aboutWebhook(guest: Guest, { name, disabledBecause, failingSince }: Webhook): Todo[] {
  const texts = HOME[guest.language];
  if (disabledBecause === null && failingSince === null) return [];
  const since = failingSince === null ? '' : formatAgo(failingSince, guest.now, guest.language);
  return [
    {
      icon: 'webhook',
      tone: disabledBecause === null ? 'warn' : 'bad',
      text: disabledBecause === null ? texts.webhookFails({ name }) : texts.webhookOff({ name }),
      why: disabledBecause === 'gone' ? texts.webhookGone : texts.webhookFailing({ when: since }),
      action: <ButtonLink href={`/settings/webhook?${query({ name })}`}>{texts.seeWebhook}</ButtonLink>,
    },
  ];
}

function aboutListings({ language }: Guest, { rules }: Report): Todo[] {
  const texts = HOME[language];
  const errors = rules.filter(({ severity }) => severity === 'error').toSorted((a, b) => b.properties - a.properties);
  return errors.slice(0, MAX_RULES).map(({ code, properties, fix, explanation }) => ({
    icon: 'report',
    tone: 'warn',
    text: texts.listingsWith({ count: properties, fix }),
    why: explanation,
    action: (
      <ButtonLink href={`/properties?${query({ finding: code })}`}>
        {texts.seeListings({ count: properties })}
      </ButtonLink>
    ),
  }));
}
