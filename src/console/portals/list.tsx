import type { Context } from 'hono';
import type { AppEnv } from '../../env.ts';
import { isoTime } from '../../lib/time/time.ts';
import { Ago } from '../format.tsx';
import { Days, lastDays } from '../frame/days.tsx';
import { Logo } from '../frame/icon.tsx';
import { ButtonLink, Card, Chip, Item } from '../frame/parts.tsx';
import { Table } from '../frame/table.tsx';
import { may } from '../guards.tsx';
import { portalPath } from '../paths.ts';
import { HOME, PORTAL_TEXTS } from '../texts/texts.ts';
import { type Page, useGuest, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { formatName } from './catalogue.ts';
import { loadPortals, type PortalView, STATE_TONES } from './portal.ts';

/** Days of visits that a list of portals shows. */
const DAYS_SHOWN = 30;

/** The portals of an account with their visits. */
export async function showPortals(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const texts = PORTAL_TEXTS[visitor.language];
  const portals = await loadPortals(c.env.DB, visitor.account.id, visitor.now);
  const none = { icon: 'portals', text: texts.none, why: texts.lead, action: <Connect /> } as const;
  return {
    title: portals.length === 0 ? texts.none : texts.title({ count: portals.length }),
    lead: texts.lead,
    actions: (
      <>
        <ButtonLink href="/feed" icon="eye">
          {texts.preview}
        </ButtonLink>
        {portals.length > 0 && <Connect />}
      </>
    ),
    content: (
      <Card title={visitor.texts.portals} flush empty={portals.length === 0 && none}>
        <PortalTable portals={portals} />
      </Card>
    ),
  };
}

function Connect() {
  return (
    may(useVisitor(), 'editor') && (
      <ButtonLink href="/portals/connect" icon="plus" kind="primary">
        {useTexts(PORTAL_TEXTS).connect}
      </ButtonLink>
    )
  );
}

/** The portals with their visits of the last days. */
export function PortalTable({ portals }: { portals: readonly PortalView[] }) {
  const { language, now } = useGuest();
  const texts = useTexts(HOME);
  const today = isoTime(now).slice(0, 10);
  return (
    <Table
      label={texts.portals}
      columns={[[texts.portal], [texts.lastDays], [texts.lastVisit], [texts.state, 'num']]}
      rows={portals.map((portal) => {
        const { name, title, format, reader, lastVisit, state } = portal;
        const days = lastDays(portal.days, today, DAYS_SHOWN);
        const visited = days.filter(({ visits }) => visits > 0).length;
        return [
          <Item
            sign={<Logo sign={portal} />}
            href={portalPath(name)}
            title={title}
            note={formatName(format, reader.preset, language)}
          />,
          <Days days={days} label={texts.days({ title, visited })} />,
          lastVisit !== null && <Ago seconds={lastVisit} />,
          <Chip tone={STATE_TONES[state]}>{texts.states[state]}</Chip>,
        ];
      })}
    />
  );
}
