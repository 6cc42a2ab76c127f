import type { PropertyDocument } from '../documents.ts';

/** What is compared of a property with others of its type and town. */
export interface Compared extends Pick<PropertyDocument, 'type' | 'town'> {
  readonly id: string;
  readonly offers?: PropertyDocument['offers'] | null;
  readonly built_area?: number | null;
  readonly plot_area?: number | null;
}

/** The most properties of a type in a town that others are compared with: those that were changed last. */
const MOST = 50;

/** Properties that have the type and the town of one of these. */
export async function readNeighbours(
  db: D1Database,
  account: number,
  like: readonly Pick<PropertyDocument, 'type' | 'town'>[],
): Promise<Compared[]> {
  if (like.length === 0) return [];
  const { results } = await db
    .prepare(
      `WITH near AS (
         SELECT id, row_number() OVER (PARTITION BY type, town ORDER BY changed_at DESC) AS place
           FROM properties
          WHERE account_id = ?1 AND (type, town) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?2)))
       SELECT json_object('id', p.identifier, 'type', p.type, 'town', p.town, 'offers', p.document -> 'offers',
           'built_area', p.document -> 'built_area', 'plot_area', p.document -> 'plot_area') AS compared
         FROM near JOIN properties p ON p.id = near.id
        WHERE near.place <= ?3`,
    )
    .bind(account, JSON.stringify(like.map(({ type, town }) => [type, town])), MOST)
    .all<{ compared: string }>();
  return results.map(({ compared }) => JSON.parse(compared) as Compared);
}

/** A town with a postcode and a province. */
export type Place = Readonly<Record<'town' | 'postcode' | 'province', string>>;

/** The properties, those that were changed last, whose places are proposed for others. */
const PLACES_READ = 200;

/** Where the account's properties are that were changed last, the most frequent place first. */
export async function readPlaces(db: D1Database, account: number): Promise<Place[]> {
  const { results } = await db
    .prepare(
      `SELECT town, postcode, province FROM (
         SELECT town, ifnull(document ->> 'postcode', '') AS postcode, document ->> 'province' AS province
           FROM properties WHERE account_id = ?1 AND change > 0 ORDER BY change DESC LIMIT ${PLACES_READ})
        WHERE town <> '' GROUP BY 1, 2, 3 ORDER BY count(*) DESC`,
    )
    .bind(account)
    .all<Place>();
  return results;
}
