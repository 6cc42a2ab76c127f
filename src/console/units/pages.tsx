import type { Development, Unit } from '../../db/units.ts';
import { formatNumber, formatPrice, Time } from '../format.tsx';
import { type Page, Table, type Visitor } from '../page.tsx';
import { query, unitPath, unitsPath } from '../paths.ts';
import { stateOf } from './changes.tsx';

/** Entries of a page, and one more where there is another page. */
export interface Entries<Entry> {
  readonly entries: readonly Entry[];
  /** The name after which the next page starts. */
  readonly next: string | undefined;
}

/** The account's developments. */
export function developmentsPage({ texts, language }: Visitor, { entries, next }: Entries<Development>): Page {
  return {
    title: texts.developments,
    content:
      entries.length === 0 ? (
        <p>{texts.noDevelopments}</p>
      ) : (
        <>
          <Table
            label={texts.developments}
            columns={[[texts.development], [texts.name], [texts.units, 'number']]}
            rows={entries.map(({ id, name, units }) => [
              <a href={unitsPath(id)}>{id}</a>,
              name,
              formatNumber(units, language),
            ])}
          />
          <Next text={texts.next} path={next && `/developments?${query({ after: next })}`} />
        </>
      ),
  };
}

/** The units of a development. */
export function unitsPage(visitor: Visitor, development: string, { entries, next }: Entries<Unit>): Page {
  const { texts, language } = visitor;
  return {
    title: `${texts.units}: ${development}`,
    content: (
      <>
        <Table
          label={texts.units}
          columns={[[texts.unit], [texts.status], [texts.price, 'number'], [texts.directions], [texts.changedAt]]}
          rows={entries.map((unit) => [
            <a href={unitPath(development, unit.name)}>{unit.name || '—'}</a>,
            stateOf(unit, visitor).status,
            formatPrice(unit.price, language),
            stateOf(unit, visitor).directions,
            <Time seconds={unit.changedAt} language={language} />,
          ])}
        />
        <Next text={texts.next} path={next && unitsPath(development, next)} />
      </>
    ),
  };
}

function Next({ text, path }: { readonly text: string; readonly path: string | undefined }) {
  return path === undefined ? null : (
    <p>
      <a href={path} rel="next">
        {text}
      </a>
    </p>
  );
}
