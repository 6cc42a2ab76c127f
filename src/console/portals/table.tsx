import { isoTime } from '../../lib/time.ts';
import { Ago, formatNumber } from '../format.tsx';
import { Days, lastDays } from '../frame/days.tsx';
import { Logo } from '../frame/logo.tsx';
import { Chip } from '../frame/parts.tsx';
import { Table } from '../frame/table.tsx';
import { HOME } from '../home/texts.ts';
import { portalPath } from '../paths.ts';
import type { Guest } from '../visit.ts';
import { type PortalView, STATE_TONES } from './portal.ts';

/** Days of visits that a list of portals shows. */
const DAYS_SHOWN = 30;

/** The portals with their visits of the last days. */
export function PortalTable({
  portals,
  visitor,
}: {
  readonly portals: readonly PortalView[];
  readonly visitor: Guest;
}) {
  const { language, now } = visitor;
  const texts = HOME[language];
  const today = isoTime(now).slice(0, 10);
  return (
    <Table
      label={texts.portals}
      columns={[[texts.portal], [texts.lastDays], [texts.lastVisit], [texts.state, 'num']]}
      rows={portals.map((portal) => {
        const days = lastDays(portal.days, today, DAYS_SHOWN);
        const visited = days.filter(({ visits }) => visits > 0).length;
        return [
          <span class="item">
            <Logo sign={portal} />
            <span>
              <a href={portalPath(portal.name)}>
                <b>{portal.title}</b>
              </a>
              <span class="muted">{portal.formatName}</span>
            </span>
          </span>,
          <Days
            days={days}
            label={texts.days({ title: portal.title, visited })}
            titleOf={({ date, visits }) => `${date}: ${formatNumber(visits, language)}`}
          />,
          portal.lastVisit === null ? '' : <Ago seconds={portal.lastVisit} guest={visitor} />,
          <Chip tone={STATE_TONES[portal.state]}>{texts.states[portal.state]}</Chip>,
        ];
      })}
    />
  );
}
