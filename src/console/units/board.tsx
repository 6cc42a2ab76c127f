import type { Context } from 'hono';
import type { UnitStatus } from '../../api/units/schemas.ts';
import { listDevelopments } from '../../db/units/developments.ts';
import type { Unit } from '../../db/units/units.ts';
import type { AppEnv } from '../../env.ts';
import { formatNumber } from '../format.tsx';
import { ButtonLink, Chip, Item, UNIT_TONES } from '../frame/parts.tsx';
import { TableCard } from '../frame/table.tsx';
import { may } from '../guards.tsx';
import { ChangesCard, loadChanges } from '../home/changes.tsx';
import { query, unitPath, unitsPath } from '../paths.ts';
import { pageOf, type Visit } from '../subject.tsx';
import { UNITS } from '../texts/texts.ts';
import { type Page, useVisitor, type Visitor } from '../visit.ts';
import { stateOf } from './changes.tsx';
import { editPage, type LoadedUnits, loadUnits, UNITS_ACTIONS } from './several.tsx';

const DEVELOPMENTS_PER_PAGE = 100;
const CHANGE_DAYS = 90;
const CHANGES_SHOWN = 20;

/** The order of the columns, as a sale proceeds. */
const STATUSES: readonly UnitStatus[] = [1, 2, 8, 4];

/** The account's developments. */
export async function showDevelopments(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const { language, texts: common, account } = visitor;
  const texts = UNITS[language];
  const found = await listDevelopments(c.env.DB, account.id, c.req.query('after') ?? null, DEVELOPMENTS_PER_PAGE + 1);
  const shown = found.slice(0, DEVELOPMENTS_PER_PAGE);
  const action = <ButtonLink href="/docs">{common.apiReference}</ButtonLink>;
  const none = { icon: 'developments', text: texts.none, why: texts.noneWhy, action } as const;
  return {
    title: shown.length === 0 ? texts.none : texts.developmentsTitle({ count: found.length }),
    lead: texts.developmentsLead,
    content: (
      <TableCard
        title={common.developments}
        none={none}
        columns={[[texts.development], [texts.units, 'num']]}
        rows={shown.map(({ id, name, units }) => [
          <Item href={unitsPath(id)} title={name} note={id} />,
          texts.unitsOf({ count: units }),
        ])}
      >
        {found.length > shown.length && (
          <nav class="pager" aria-label={common.developments}>
            <a class="button" href={`/developments?${query({ after: shown.at(-1)!.id })}`} rel="next">
              {common.next}
            </a>
          </nav>
        )}
      </TableCard>
    ),
  };
}

/** The units of a development as a board by status, or all of them to edit. */
export const units = pageOf({
  find: loadUnits,
  show: (visit) => {
    const { c, visitor, subject } = visit;
    const isEdited = c.req.query('edit') !== undefined && may(visitor, 'editor');
    return isEdited ? editPage(visitor, subject) : boardPage(visit);
  },
  actions: UNITS_ACTIONS,
});

async function boardPage({ c, visitor, subject }: Visit<LoadedUnits>): Promise<Page> {
  const { development, name, units, next } = subject;
  const { language, texts: common, account } = visitor;
  const texts = UNITS[language];
  const ofDevelopment = { development, days: CHANGE_DAYS, limit: CHANGES_SHOWN };
  const changes = await loadChanges(c.env.DB, account.id, visitor, ofDevelopment);
  const available = units.filter(({ status }) => status === 1).length;
  const gone = units.filter(({ status }) => status === 4 || status === 8).length;
  return {
    title: texts.boardTitle({ name, count: available }),
    lead: texts.boardLead({ count: units.length, gone }),
    actions: may(visitor, 'editor') && units.length > 0 && (
      <ButtonLink href={unitsPath(development, { edit: '1' })} icon="table" kind="primary">
        {texts.editSeveral}
      </ButtonLink>
    ),
    content: (
      <div class="stack">
        <div class="board">
          {STATUSES.map((status) => (
            <Column status={status} loaded={subject} />
          ))}
        </div>
        {next !== undefined && <ButtonLink href={unitsPath(development, { after: next })}>{common.next}</ButtonLink>}
        <ChangesCard title={texts.changes} none={[texts.noChanges, texts.noChangesWhy]} changes={changes} />
      </div>
    ),
  };
}

function Column({ status, loaded }: { status: UnitStatus; loaded: LoadedUnits }) {
  const visitor = useVisitor();
  const { texts: common, language } = visitor;
  const name = common.unitStatuses[status];
  const units = loaded.units.filter((unit) => unit.status === status);
  const noteOf = (unit: Unit, directions: string) => {
    const { floor, builtArea = null } = loaded.properties.get(unit.name) ?? {};
    const area = builtArea !== null && `${formatNumber(builtArea, language)} m²`;
    return [floor, directions, area].filter(Boolean).join(' · ');
  };
  return (
    <section aria-label={name}>
      <h2>
        <Chip tone={UNIT_TONES[status]}>{name}</Chip> {formatNumber(units.length, language)}
      </h2>
      {units.map((unit) => {
        const { price, directions } = stateOf(unit, loaded.properties.get(unit.name)?.currency ?? '', visitor);
        return (
          <a class="unit" href={unitPath(unit.development, unit.name)}>
            <span>
              <span>{unit.name || '—'}</span> <span>{price}</span>
            </span>
            <span class="small muted">{noteOf(unit, directions)}</span>
          </a>
        );
      })}
    </section>
  );
}
