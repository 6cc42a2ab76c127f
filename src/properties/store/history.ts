import type { EpochSeconds } from '../../lib/time/time.ts';
import type { PropertyDocument } from '../documents.ts';
import type { PastChange } from '../undo.ts';
import { type PropertyRow, storedProperty } from './property-rows.ts';

/** Changes that were made together, or a single one: the number of the change before it, of a property. */
export type ChangesWanted =
  | { readonly batch: string }
  | { readonly property: string; readonly change: number };

type State = Record<'document' | 'pictures' | 'texts', string>;

interface Row extends PropertyRow {
  readonly made_at: EpochSeconds;
  /** JSON of {@link State}; `before` is `null` for what was created. */
  readonly before: string | null;
  readonly after: string | null;
}

/** How the batches of imports begin. */
const IMPORT = 'import:';

/** The pictures or texts of a state of the history `h` or later: `NULL` there says that the change left them as they were. */
function firstFrom(column: 'pictures' | 'texts', comparison: '>=' | '>'): string {
  return `coalesce((SELECT n.${column} FROM property_history n WHERE n.property_id = h.property_id
    AND n.change ${comparison} h.change AND n.${column} IS NOT NULL ORDER BY n.change LIMIT 1), p.${column})`;
}

const NOW = 'p.identifier, p.document, p.pictures, p.texts, p.changed_at';

const CHANGED = `
  SELECT ${NOW}, h.changed_at AS made_at,
         json_object('document', h.document, 'pictures', ${firstFrom('pictures', '>=')}, 'texts', ${firstFrom('texts', '>=')}) AS before,
         json_object('document', coalesce((SELECT n.document FROM property_history n
           WHERE n.property_id = h.property_id AND n.change > h.change ORDER BY n.change LIMIT 1), p.document),
           'pictures', ${firstFrom('pictures', '>')}, 'texts', ${firstFrom('texts', '>')}) AS after
    FROM property_history h JOIN properties p ON p.id = h.property_id
   WHERE h.account_id = ?1 AND h.changed_at >= ?2`;

/** The first state of what was created is the one before its first change, or that of now. An import's listings can have any dates. */
const CREATED = `
  SELECT ${NOW}, unixepoch() AS made_at, NULL AS before,
         (SELECT json_object('document', h.document, 'pictures', ${firstFrom('pictures', '>=')}, 'texts', ${firstFrom('texts', '>=')})
            FROM property_history h WHERE h.property_id = p.id ORDER BY h.change LIMIT 1) AS after
    FROM property_search s JOIN properties p ON p.id = s.property_id
   WHERE s.created_in = ?3 AND p.account_id = ?1
     AND iif(?3 LIKE '${IMPORT}%', EXISTS (SELECT 1 FROM imports i WHERE i.account_id = ?1
       AND '${IMPORT}' || i.id = ?3 AND ifnull(i.ended_at, unixepoch()) >= ?2), p.listed_at >= ?2)`;

/** What properties were before changes, with them and now, in the order of their numbers: of those since a time that are wanted. */
export async function readChanges(
  db: D1Database,
  account: number,
  wanted: ChangesWanted,
  since: EpochSeconds,
): Promise<PastChange[]> {
  const statements =
    'batch' in wanted
      ? [`${CHANGED} AND h.batch = ?3 ORDER BY p.number, h.change`, CREATED]
      : [`${CHANGED} AND p.identifier = ?3 AND h.change = ?4`];
  const values = 'batch' in wanted ? [wanted.batch] : [wanted.property, wanted.change];
  const results = await db.batch<Row>(
    statements.map((sql) => db.prepare(sql).bind(account, since, ...values)),
  );
  const rows = results.flatMap((result) => result.results);
  // A batch that has changed a property twice has made of its first state the last.
  return [...Map.groupBy(rows, ({ identifier }) => identifier).values()].map((own) => {
    const created = own.find(({ before }) => before === null);
    const first = created ?? own[0]!;
    const last = own.findLast(({ before }) => before !== null) ?? first;
    const now = storedProperty(first);
    return {
      before: stateOf(first, first.before),
      after: stateOf(last, last.after) ?? now,
      now,
    };
  });
}

function stateOf(row: PropertyRow, state: string | null): PropertyDocument | null {
  return state === null ? null : storedProperty({ ...row, ...(JSON.parse(state) as State) });
}

/** The batch of an import. */
export function batchOf(run: number): string {
  return IMPORT + run;
}
