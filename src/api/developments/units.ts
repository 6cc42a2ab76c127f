import type * as z from 'zod';
import { writePortfolio } from '../../db/portfolio/write.ts';
import { readUnit, type Unit, type UnitAddress } from '../../db/units/units.ts';
import { parseDocument } from '../../portfolio/documents.ts';
import type { Problem } from '../../problem.ts';
import { applyUpdate, developmentNotFound, storedUpdate, versionMismatch } from '../units/update.ts';
import { allowedVersions } from '../units/view.ts';
import type { unitValues } from './schemas.ts';

/** The result of a write: the unit's current state, or why nothing was written. */
type UnitWritten =
  | { readonly unit: Unit; readonly created: boolean; readonly changed: boolean }
  | { readonly problem: Problem };

interface Condition {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/**
 * Sets the values of a unit, as an update does, or creates it.
 *
 * @throws what D1 throws; the write may have been committed or not, and can be repeated
 */
export async function putUnit(
  db: D1Database,
  clientId: string,
  address: UnitAddress,
  values: z.output<typeof unitValues>,
  { ifMatch, ifNoneMatch }: Condition,
): Promise<UnitWritten> {
  const { accountId, development, name } = address;
  const found = await readUnit(db, address, 0);
  if (found.kind === 'no development') return { problem: developmentNotFound(development) };
  if (found.kind === 'unit') {
    if (ifNoneMatch?.trim() === '*') return { problem: versionMismatch(found.unit) };
    const update = storedUpdate({ UntName: name, ...values });
    return withCreated(
      await applyUpdate(db, { accountId, clientId }, development, update, allowedVersions(ifMatch)),
      false,
    );
  }
  if (ifMatch !== undefined) return { problem: { code: 'precondition_failed', detail: 'The unit does not exist.' } };
  const { UntStatus: status, UntPrice: price, UntDirections: directions } = values;
  const document = parseDocument({ kind: 'unit', development, name, status, price, directions });
  // Another client may have created it meanwhile: then its values are updated.
  const { changed } = await writePortfolio(db, accountId, [document], {
    merge: (given, stored) => (stored.size > 0 ? undefined : given),
  });
  if (changed.length === 0) return putUnit(db, clientId, address, values, { ifMatch, ifNoneMatch });
  const created = await readUnit(db, address, 0);
  if (created.kind !== 'unit') return { problem: developmentNotFound(development) };
  return { unit: created.unit, created: true, changed: true };
}

function withCreated(result: Awaited<ReturnType<typeof applyUpdate>>, created: boolean): UnitWritten {
  return 'problem' in result ? result : { unit: result.unit, changed: result.changed, created };
}
