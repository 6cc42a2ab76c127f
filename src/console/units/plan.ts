import type { PropertyOperation } from '../../properties/api/schemas.ts';
import type { UnitWrite } from '../../properties/api/write.ts';
import { listingName, listingOf, type UnitFacts } from '../../units/listing.ts';
import type { Unit, UnitProperty, UnitValues } from '../../units/units.ts';
import type { ShownDevelopment } from './development.tsx';
import { type Concern, concernOf } from './form.ts';
import type { CellError, Column, PastedUnit } from './paste.ts';

/** What is wrong with a row: of a cell, or that the name was there before, or that a new listing needs a type. */
export type RowError = readonly [column: Column, error: CellError | 'repeated' | 'noType'];

/** What a row of a pasted table changes. */
export interface PlannedRow {
  readonly line: number;
  readonly name: string;
  readonly before: Unit | undefined;
  readonly after: UnitValues;
  readonly isChanged: boolean;
  readonly concern: Concern | null;
  readonly facts: UnitFacts;
  /** What is done with its listing. */
  readonly operation: PropertyOperation | undefined;
  readonly errors: readonly RowError[];
}

/** What the account has of a development. */
export interface KnownUnits {
  readonly development: ShownDevelopment;
  readonly units: ReadonlyMap<string, Unit>;
  readonly properties: ReadonlyMap<string, UnitProperty>;
}

/**
 * What rows change: cells that are empty leave what is stored, and a new unit is available, at a price on request. What a unit
 * itself does not have goes to its listing, which is created if no listing shows the unit.
 */
export function planOf(rows: readonly PastedUnit[], known: KnownUnits): PlannedRow[] {
  const names = new Set<string>();
  return rows.map((row) => {
    const { line, name, status, price, directions } = row;
    const before = known.units.get(name);
    const after: UnitValues = {
      status: status ?? before?.status ?? 1,
      price: price ?? before?.price ?? 0,
      directions: directions ? JSON.stringify(directions) : (before?.directions ?? '[]'),
    };
    const errors: RowError[] = [...row.errors];
    if (names.has(name)) errors.push(['name', 'repeated']);
    names.add(name);
    const facts = row.facts as UnitFacts;
    const isFact = Object.keys(facts).length > 0;
    const property = known.properties.get(name);
    if (isFact && property === undefined && facts.type === undefined)
      errors.push(['type', 'noType']);
    const operation = isFact ? listingChange(known, name, after.price, facts) : undefined;
    const isChanged =
      before === undefined ||
      before.status !== after.status ||
      before.price !== after.price ||
      before.directions !== after.directions;
    const concern = before ? concernOf(after.price, before.price) : null;
    return { line, name, before, after, isChanged, concern, facts, operation, errors };
  });
}

function listingChange(
  { development, properties }: KnownUnits,
  name: string,
  price: number,
  facts: UnitFacts,
): PropertyOperation {
  const property = properties.get(name);
  if (property !== undefined) return { op: 'patch', id: property.identifier, patch: facts };
  const id = listingName(development.id, name);
  const unit = { development: development.id, name, price };
  const listing = listingOf(unit, development.details, facts);
  return { op: 'put', id, property: { ...listing, ref: id }, if_none_match: '*' };
}

/** The units that a plan writes. */
export function writesOf(plan: readonly PlannedRow[], development: string): UnitWrite[] {
  return plan
    .filter(({ isChanged }) => isChanged)
    .map(({ name, before, after }) => ({
      version: before?.version ?? null,
      document: {
        kind: 'unit',
        development,
        name,
        status: after.status as UnitWrite['document']['status'],
        price: after.price,
        directions: JSON.parse(after.directions),
      },
    }));
}
