import { env } from 'cloudflare:workers';
import { expect } from 'vitest';

const db = env.DB;

/** Which feeds show a column: a change to it advances their revisions. `fails`: it cannot be changed. */
export type Shown = 'both' | 'sale' | 'rental' | 'nothing' | 'fails' | 'generated';

/** A column, with the SQL that changes it if adding 1, or an `x` to a text, is not possible. */
export type Column = Shown | readonly [Shown, change: string];

/** The columns that not both kinds of feeds show, by table. Both show every other column, and every new one. */
export const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, Column>>>> = {
  properties: {
    ...of('fails', 'id account_id sequence_number'),
    ...of('generated', 'listed for_sale for_long_term for_short_term for_rent'),
    ...of('nothing', 'source_changed_at sale_revision rental_revision change_number version'),
    ...of('nothing', 'prime commission email'),
    ...of('sale', 'sale_updated_at sale_price minimum_price'),
    ...of('rental', 'rental_updated_at monthly_rent low_season_rent high_season_rent rental_license'),
    unit_id: ['both', '(SELECT id FROM units WHERE name = $base || $property)'],
    status: ['both', "iif(status = 'Withdrawn', 'Sold', 'Under Offer')"],
    currency: ['both', "'GBP'"],
    restrictions: ['both', "'own_website_only'"],
    emissions: ['both', "'A'"],
    consumption: ['both', "'B'"],
    energy_status: ['both', "'exempt'"],
    features: ['both', "features || ',' || (features + 1)"],
    new_build: ['both', '1 - new_build'],
    leasehold: ['both', '1 - leasehold'],
    part_ownership: ['both', '1 - part_ownership'],
    seen: ['nothing', `'{"0":1}'`],
  },
  property_texts: { ...of('generated', 'property_id language'), id: ['both', 'id + 1'], title: 'nothing' },
  units: {
    ...of('fails', 'id account_id'),
    ...of('nothing', 'version changed_at change_number'),
    development_id: ['both', 'development_id + 1'],
    status: ['both', 'status * 2'],
    price: 'sale',
    directions: ['both', `'["N"]'`],
    feed_status: 'generated',
  },
  property_types: of('fails', 'id account_id'),
  feature_categories: of('fails', 'id account_id'),
  features: { ...of('fails', 'id account_id'), code: 'nothing' },
  // The details advance the development's own revision, which only documents of developments have; its place also advances the
  // segments of its units.
  developments: { ...of('fails', 'id account_id identifier'), details: ['nothing', `'{"finished":true}'`] },
};

function of(shown: Shown, columns: string): Readonly<Record<string, Shown>> {
  return Object.fromEntries(columns.split(' ').map((column) => [column, shown]));
}

/** The tables of one property's rows, of its unit, of its development, and of what properties share. */
export const OF_A_PROPERTY = ['properties', 'property_texts'];
export const OF_A_UNIT = ['units'];
export const OF_A_DEVELOPMENT = ['developments'];
const LABELS = 'property_type_labels feature_category_labels feature_labels'.split(' ');
export const SHARED = ['property_types', 'feature_categories', 'features', ...LABELS];

/** Tables that no feed shows. */
export const UNSHOWN = `
  accounts unit_history snapshots clients readers reader_keys deliveries channels property_channels ended_sessions people
  activity property_history report_settings price_jumps removed_properties removed_units webhooks webhook_attempts
  account_events time_line directory directory_clients moves moved_rows walks imports sources source_properties
`
  .trim()
  .split(/\s+/);

/** The type of each column, by table and name. */
export async function readColumnTypes(): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const { results } = await db
    .prepare(
      `SELECT t.name AS "table", c.name AS "column", lower(c.type) AS type
         FROM sqlite_schema t, pragma_table_xinfo(t.name) c
        WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE '\\_cf%' ESCAPE '\\'
          AND t.name NOT IN ('d1_migrations', 'test_cursors')`,
    )
    .all<{ table: string; column: string; type: string }>();
  const tables = Map.groupBy(results, ({ table }) => table);
  return new Map([...tables].map(([name, rows]) => [name, new Map(rows.map(({ column, type }) => [column, type]))]));
}

interface Fixture {
  number: number;
  offers: readonly string[];
  status?: string;
  unit?: number;
}

/**
 * The properties of the account, each in a segment of its own: for sale, for rent and both; withdrawn; and in a unit that
 * is available, sold, on hold or reserved. All have the same type, feature and category; {@link base} and a small number
 * make identifiers.
 */
export const PROPERTIES = {
  sale: { number: 1, offers: ['sale'] },
  rental: { number: 501, offers: ['rental'] },
  both: { number: 1001, offers: ['sale', 'rental'] },
  withdrawn: { number: 1501, offers: ['sale', 'rental'], status: 'Withdrawn' },
  unit: { number: 2001, offers: ['sale', 'rental'], unit: 1 },
  soldUnit: { number: 2501, offers: ['sale', 'rental'], unit: 4 },
  heldUnit: { number: 3001, offers: ['sale', 'rental'], unit: 2 },
  reservedUnit: { number: 3501, offers: ['sale', 'rental'], unit: 8 },
} as const satisfies Record<string, Fixture>;

export type Name = keyof typeof PROPERTIES;
export const NAMES = Object.keys(PROPERTIES) as Name[];

/** The id of the account, and the first of those of its rows. */
export let base = 0;

/** The id of a property, and of its unit. */
export function idOf(name: Name): number {
  return base + NAMES.indexOf(name);
}

/** The rows of a statement that inserts one for each property. */
function rows(valuesOf: (name: Name, property: Fixture, id: number) => string): string {
  return NAMES.map((name) => `(${valuesOf(name, PROPERTIES[name], idOf(name))})`).join();
}

/** Stores the account again under another {@link base}. */
export async function storeAccount(): Promise<void> {
  base += 100;
  const statements = [
    `INSERT INTO accounts (id, code, name, password) VALUES (${base}, 'A${base}', 'Agency', '$pbkdf2-sha256$i=1$s$k')`,
    ...[0, 1].flatMap((n) => [
      `INSERT INTO property_types (id, account_id, code) VALUES (${base + n}, ${base}, 't${n}')`,
      `INSERT INTO feature_categories (id, account_id, code) VALUES (${base + n}, ${base}, 'c${n}')`,
      `INSERT INTO developments (id, account_id, identifier, name) VALUES (${base + n}, ${base}, 'd${n}', 'D')`,
    ]),
    ...[0, 1].map(
      (n) => `INSERT INTO features (id, account_id, category_id, code) VALUES (${base + n}, ${base}, ${base}, 'f${n}')`,
    ),
    `INSERT INTO property_type_labels VALUES (${base}, 1, 'Old', 'Old sub', 'New', 'Sub')`,
    `INSERT INTO feature_category_labels VALUES (${base}, 1, 'Category')`,
    `INSERT INTO feature_labels VALUES (${base}, 1, 'Feature')`,
    `INSERT INTO units (id, account_id, development_id, name, status, price)
     VALUES ${rows((name, { unit }, id) => `${id}, ${base}, ${base}, '${base}${name}', ${unit ?? 1}, 1`)}`,
    `INSERT INTO properties (id, account_id, sequence_number, identifier, reference, type_id, unit_id, status, listed_at,
                             town, province, latitude, longitude, on_own_website, on_other_websites, features, pictures,
                             for_sale, sale_price, minimum_price,
                             for_long_term, monthly_rent, for_short_term, low_season_rent, high_season_rent, rental_license)
     VALUES ${rows((name, { number, offers, status, unit }, id) => {
       const sale = offers.includes('sale') ? '1, 1, 0' : '0, NULL, 0';
       const rental = offers.includes('rental') ? "1, 1, 1, 1, 2, 'L'" : '0, NULL, 0, NULL, NULL, NULL';
       return `${id}, ${base}, ${number}, '${name}', 'R', ${base}, ${unit ? id : 'NULL'}, '${status ?? 'Available'}', 1,
               'T', 'P', 1, 1, 0, 0, '${base}', 'picture', ${sale}, ${rental}`;
     })}`,
    `INSERT INTO property_texts VALUES ${rows((_name, _property, id) => `${id * 128 + 1}, 'Title', 'Text', 'url'`)}`,
  ];
  await db.batch(statements.map((sql) => db.prepare(sql)));
}

interface Counters {
  sale: number;
  rental: number;
  saleTime: number;
  rentalTime: number;
  accountSale: number;
  accountRental: number;
  /** The revisions of the last change of the property; `null` once it is deleted. */
  recordedSale: number | null;
  recordedRental: number | null;
  /** The number of the last change of the property, and of the account. */
  number: number | null;
  accountNumber: number;
}

/** By property: the revisions of its segment, its times, 0 once it is deleted, and the revisions of the account. */
export async function counters(): Promise<Map<Name, Counters>> {
  return byName(await readCounters().all<Counters>());
}

function byName({ results }: D1Result<Counters>): Map<Name, Counters> {
  return new Map(results.map((row, index) => [NAMES[index] as Name, row]));
}

function readCounters(): D1PreparedStatement {
  return db
    .prepare(
      `SELECT s.key AS segment, s.value ->> 0 AS sale, s.value ->> 1 AS rental,
              coalesce(p.sale_updated_at, 0) AS saleTime, coalesce(p.rental_updated_at, 0) AS rentalTime,
              a.sale_revision AS accountSale, a.rental_revision AS accountRental,
              p.sale_revision AS recordedSale, p.rental_revision AS recordedRental,
              p.change_number AS number, a.change_number AS accountNumber
         FROM accounts a, json_each(a.segments) s
         LEFT JOIN properties p ON p.id = a.id + s.key
        WHERE a.id = ? ORDER BY s.key + 0`,
    )
    .bind(base);
}

export type Moved = 'both' | 'sale' | 'rental';

const KINDS = [
  ['sale', 'saleTime', 'recordedSale', 'accountSale'],
  ['rental', 'rentalTime', 'recordedRental', 'accountRental'],
] as const;

/**
 * A property whose time has advanced records a revision that a delivery before the change does not have; one whose segment has
 * not, the revision of before, unless the change is that of the revision.
 */
function expectRecorded(sql: string, old: Counters, now: Counters): void {
  for (const [kind, time, recorded, account] of KINDS) {
    if (now[recorded] === null) continue;
    if (now[kind] === old[kind] && !sql.includes('_revision =')) expect(now[recorded]).toBe(old[recorded]);
    if (now[kind] === old[kind] || now[time] <= old[time]) continue;
    expect(now[recorded]).toBeGreaterThan(old[account]);
    expect(now[recorded]).toBeLessThanOrEqual(now[account]);
  }
}

/** Executes a change. Returns which segments it advanced, by the property in each, and whose times. */
export async function moves(
  sql: string,
): Promise<{ segments: Partial<Record<Name, Moved>>; times: Partial<Record<Name, Moved>> }> {
  const results = await db.batch<Counters>([readCounters(), db.prepare(sql), readCounters()]);
  const [before, after] = [byName(results[0]!), byName(results[2]!)];
  const which = (sale: boolean, rental: boolean): Moved | undefined =>
    sale ? (rental ? 'both' : 'sale') : rental ? 'rental' : undefined;
  const segments: Partial<Record<Name, Moved>> = {};
  const times: Partial<Record<Name, Moved>> = {};
  let account: Moved | undefined;
  for (const [name, old] of before) {
    const now = after.get(name)!;
    expect(now.sale).toBeGreaterThanOrEqual(old.sale);
    expect(now.rental).toBeGreaterThanOrEqual(old.rental);
    const moved = which(now.sale > old.sale, now.rental > old.rental);
    if (moved) segments[name] = moved;
    expectRecorded(sql, old, now);
    expect(now.number ?? 0).toBeLessThanOrEqual(now.accountNumber);
    const timed = which(now.saleTime > old.saleTime, now.rentalTime > old.rentalTime);
    if (timed) times[name] = timed;
    account = which(now.accountSale > old.accountSale, now.accountRental > old.accountRental);
  }
  const all = Object.values(segments);
  expect(account).toBe(
    which(
      all.some((moved) => moved !== 'rental'),
      all.some((moved) => moved !== 'sale'),
    ),
  );
  return { segments, times };
}

export async function run(sql: string): Promise<D1Result> {
  return db.prepare(sql).run();
}

/** The feeds that show a column and that the property is in. */
export function seen(shown: Shown, name: Name): Moved | undefined {
  if (name === 'withdrawn' || name === 'soldUnit') return undefined;
  const offers: readonly string[] = PROPERTIES[name].offers;
  const kinds = offers.filter((offer) => shown === 'both' || shown === offer);
  return kinds.length === 2 ? 'both' : (kinds[0] as Moved | undefined);
}

export function expected(shown: Shown, names: readonly Name[]): Partial<Record<Name, Moved>> {
  return Object.fromEntries(names.flatMap((name) => (seen(shown, name) ? [[name, seen(shown, name)]] : [])));
}
