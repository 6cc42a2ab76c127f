import { SEGMENT_SIZE } from '../feed-properties.ts';

/** A row that refers to a row that does not exist. */
export interface BrokenReference {
  readonly table: string;
  readonly rowid: number | null;
  readonly parent: string;
}

/** What SQLite finds wrong with the database file, up to 100 findings. */
export async function damage(db: D1Database): Promise<string[]> {
  const { results } = await db.prepare('PRAGMA quick_check').all<Record<string, string>>();
  return results.flatMap((row) => Object.values(row)).filter((finding) => finding !== 'ok');
}

/** Rows whose foreign keys refer to rows that do not exist. */
export async function brokenReferences(db: D1Database): Promise<BrokenReference[]> {
  return (await db.prepare('PRAGMA foreign_key_check').all<BrokenReference>()).results;
}

/** Missing segments: the properties in them are in no feed. */
export async function missingSegments(db: D1Database): Promise<{ account: string; segment: number }[]> {
  const { results } = await db
    .prepare(
      `SELECT DISTINCT a.code AS account, (p.sequence_number - 1) / ${SEGMENT_SIZE} AS segment
         FROM properties p JOIN accounts a ON a.id = p.account_id
        WHERE NOT EXISTS (
          SELECT 1 FROM segments WHERE account_id = p.account_id AND segment = (p.sequence_number - 1) / ${SEGMENT_SIZE})
        ORDER BY 1, 2`,
    )
    .all<{ account: string; segment: number }>();
  return results;
}

/** Properties with features that their account does not have: feeds omit those. */
export async function foreignFeatures(
  db: D1Database,
): Promise<{ account: string; property: string; feature: number }[]> {
  const { results } = await db
    .prepare(
      `SELECT a.code AS account, p.identifier AS property, given.value AS feature
         FROM properties p JOIN accounts a ON a.id = p.account_id, json_each('[' || p.features || ']') given
        WHERE NOT EXISTS (SELECT 1 FROM features WHERE id = given.value AND account_id = p.account_id)
        ORDER BY 1, p.sequence_number, given.key`,
    )
    .all<{ account: string; property: string; feature: number }>();
  return results;
}

/** The units whose names contain characters beyond ASCII. */
export async function unitsBeyondAscii(
  db: D1Database,
): Promise<{ account: string; development: string; name: string }[]> {
  const { results } = await db
    .prepare(
      `SELECT a.code AS account, d.identifier AS development, u.name
         FROM units u JOIN developments d ON d.id = u.development_id JOIN accounts a ON a.id = u.account_id
        WHERE u.name GLOB '*[^ -~]*' ORDER BY 1, 2, 3`,
    )
    .all<{ account: string; development: string; name: string }>();
  return results;
}

/** The texts of a table. */
export interface TableSize {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
}

/** The size of the database file, and of the texts in the tables that may grow large. */
export async function spaceUsed(db: D1Database): Promise<{ bytes: number; tables: TableSize[] }> {
  const sizeOf = (name: string, columns: readonly string[]) => {
    const bytes = columns.map((column) => `coalesce(length(CAST(${column} AS BLOB)), 0)`).join(' + ');
    return db.prepare(`SELECT '${name}' AS name, count(*) AS rows, coalesce(sum(${bytes}), 0) AS bytes FROM ${name}`);
  };
  const results = await db.batch<TableSize>([
    sizeOf('properties', ['identifier', 'reference', 'features', 'pictures']),
    sizeOf('property_texts', ['description']),
    sizeOf('unit_history', ['client_id', 'from_directions', 'to_directions']),
    sizeOf('snapshots', ['parameters']),
  ]);
  return { bytes: results[0]!.meta.size_after, tables: results.map(({ results: [table] }) => table!) };
}
