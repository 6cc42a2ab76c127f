import type { Webhook } from '../../db/news/webhooks.ts';
import type { Report } from '../../rules/report.ts';
import { formatAgo, formatDay, formatDuration } from '../format.tsx';
import { ButtonLink, type Todo } from '../frame/parts.tsx';
import { portalPath, query } from '../paths.ts';
import type { PortalView } from '../portals/portal.ts';
import { HOME } from '../texts/texts.ts';
import { type Guest, withTexts } from '../visit.ts';

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
  const errors = (report?.rules ?? []).filter(({ severity }) => severity === 'error');
  return [
    ...portals.flatMap((portal) => aboutPortal(guest, portal)),
    ...webhooks.flatMap((webhook) => aboutWebhook(guest, webhook)),
    ...aboutListings(guest, errors.toSorted((a, b) => b.properties - a.properties).slice(0, MAX_RULES)),
  ];
}

function aboutPortal(guest: Guest, { title, name, state, lastVisit, usualInterval, reader }: PortalView): Todo[] {
  const { language, now, texts } = withTexts(guest, HOME);
  const { createdAt, keysExpireAt } = reader;
  const action = <ButtonLink href={portalPath(name)}>{texts.seePortal}</ButtonLink>;
  const todos: Todo[] = [];
  if (state === 'overdue' && lastVisit !== null) {
    const text = texts.overdue({ title, when: formatAgo(lastVisit, now, language) });
    const why = texts.overdueWhy({ interval: formatDuration(usualInterval ?? 0, language) });
    todos.push({ icon: 'portals', tone: 'bad', text, why, action });
  }
  if (state === 'never' && now - createdAt > NEW_SECONDS) {
    const why = texts.neverWhy({ when: formatAgo(createdAt, now, language) });
    todos.push({ icon: 'clock', tone: 'info', text: texts.neverCame({ title }), why, action });
  }
  if (keysExpireAt !== null && keysExpireAt - now < KEY_SECONDS) {
    const text = texts.keyEnds({ title, when: formatDay(keysExpireAt, now, language) });
    todos.push({ icon: 'key', tone: 'warn', text, why: texts.keyWhy, action });
  }
  return todos;
}

function aboutWebhook({ language, now }: Guest, { name, disabledBecause, failingSince }: Webhook): Todo[] {
  const texts = HOME[language];
  if (disabledBecause === null && failingSince === null) return [];
  const isOn = disabledBecause === null;
  const text = isOn ? texts.webhookFails({ name }) : texts.webhookOff({ name });
  const when = failingSince === null ? '' : formatAgo(failingSince, now, language);
  const why = disabledBecause === 'gone' ? texts.webhookGone : texts.webhookFailing({ when });
  const action = <ButtonLink href={`/settings/webhook?${query({ name })}`}>{texts.seeWebhook}</ButtonLink>;
  return [{ icon: 'webhook', tone: isOn ? 'warn' : 'bad', text, why, action }];
}

function aboutListings({ language }: Guest, rules: Report['rules']): Todo[] {
  const texts = HOME[language];
  return rules.map(({ code, properties: count, fix, explanation }) => {
    const action = (
      <ButtonLink href={`/properties?${query({ finding: code })}`}>{texts.seeListings({ count })}</ButtonLink>
    );
    return { icon: 'report', tone: 'warn', text: texts.listingsWith({ count, fix }), why: explanation, action };
  });
}
