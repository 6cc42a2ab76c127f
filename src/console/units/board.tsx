import type { Context } from 'hono';
import type { UnitStatus } from '../../api/units/schemas.ts';
import type { Unit } from '../../db/units/units.ts';
import type { AppEnv } from '../../env.ts';
import { formatNumber } from '../format.tsx';
import { ButtonLink, Chip } from '../frame/parts.tsx';
import { UNIT_TONES } from '../frame/status.tsx';
import { may, notFoundPage } from '../guards.tsx';
import { loadChanges } from '../history/changes.tsx';
import { ChangesCard } from '../history/list.tsx';
import { unitPath, unitsPath } from '../paths.ts';
import { UNITS } from '../texts/texts.ts';
import { type Page, useVisitor, type Visitor } from '../visit.ts';
import { stateOf } from './changes.tsx';
import { type LoadedUnits, loadUnits } from './load.ts';
import { editPage } from './several.tsx';

const CHANGE_DAYS = 90;
const CHANGES_SHOWN = 20;

/** The order of the columns, as a sale proceeds. */
const STATUSES: readonly UnitStatus[] = [1, 2, 8, 4];

/** The units of a development as a board by status, or all of them to edit. */
export async function showUnits(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const loaded = await loadUnits(c, visitor);
  if (loaded === null) return notFoundPage(visitor);
  if (c.req.query('edit') !== undefined && may(visitor, 'editor')) return editPage(visitor, loaded);
  const { development, name, units, next } = loaded;
  const { language, texts: common, account } = visitor;
  const texts = UNITS[language];
  const changes = await loadChanges(c.env.DB, account.id, visitor, {
    development,
    days: CHANGE_DAYS,
    limit: CHANGES_SHOWN,
  });
  const available = units.filter(({ status }) => status === 1).length;
  const gone = units.filter(({ status }) => status === 4 || status === 8).length;
  return {
    title: texts.boardTitle({ name, count: available }),
    lead: texts.boardLead({ count: units.length, gone }),
    crumbs: [[common.developments, '/developments']],
    actions: may(visitor, 'editor') && units.length > 0 && (
      <ButtonLink href={unitsPath(development, { edit: '1' })} icon="table" kind="primary">
        {texts.editSeveral}
      </ButtonLink>
    ),
    content: (
      <div class="stack">
        <div class="board">
          {STATUSES.map((status) => (
            <Column status={status} loaded={loaded} units={units.filter((unit) => unit.status === status)} />
          ))}
        </div>
        {next !== undefined && (
          <p>
            <ButtonLink href={unitsPath(development, { after: next })}>{common.next}</ButtonLink>
          </p>
        )}
        <ChangesCard title={texts.changes} none={[texts.noChanges, texts.noChangesWhy]} changes={changes} />
      </div>
    ),
  };
}

function Column({ status, loaded, units }: { status: UnitStatus; loaded: LoadedUnits; units: readonly Unit[] }) {
  const visitor = useVisitor();
  const { texts: common, language } = visitor;
  const name = common.unitStatuses[status];
  return (
    <section aria-label={name}>
      <h2>
        <Chip tone={UNIT_TONES[status]}>{name}</Chip> {formatNumber(units.length, language)}
      </h2>
      {units.map((unit) => {
        const property = loaded.properties.get(unit.name);
        const { price, directions } = stateOf(unit, property?.currency ?? '', visitor);
        const facts = [
          property?.floor,
          directions,
          property?.builtArea != null && `${formatNumber(property.builtArea, language)} m²`,
        ];
        return (
          <a class="unit" href={unitPath(unit.development, unit.name)}>
            <span>
              <span>{unit.name || '—'}</span> <span>{price}</span>
            </span>
            <span class="small muted">{facts.filter(Boolean).join(' · ')}</span>
          </a>
        );
      })}
    </section>
  );
}
