import { and, type SQL, sql } from '#drizzle';
import { drizzle } from '#drizzle/d1';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { type DevelopmentDetails, type DevelopmentPlace, NO_DETAILS } from '../../portfolio/development.ts';
import { movedPlace, type Policy, placeShown, withheldBy } from '../../portfolio/policy.ts';
import { type FeedColumn, FIELDS, type FieldColumn, PROPERTY_FIELDS } from '../../portfolio/property-fields.ts';
import type { FieldRow } from '../schema.ts';
import { type PartScope, pageOf } from './part-scope.ts';
import { developmentRevision, isAllowedFor, isInChannel, revisionIn } from './segments.ts';

/** Which properties a feed lists, and which of their columns it needs. */
export interface Selection {
  readonly category: 'SALE' | 'RENT' | 'All';
  readonly onWebsites: boolean;
  readonly withoutRented: boolean;
  readonly availableOnly: boolean;
  readonly languages: readonly number[];
  /** What the reader may see; everything by default. */
  readonly policy?: Policy;
}

/** A listed property as selected: its fields, and values from other tables. Amounts are in its currency. */
export interface FeedProperty extends FieldRow<FeedColumn> {
  readonly identifier: string;
  /** When the data in feeds of this category last changed. */
  readonly updated_at: EpochSeconds;
  readonly status: string;
  readonly type_id: number;
  readonly development_name: string | null;
  readonly unit_name: string | null;
  /** The unit's directions, JSON. */
  readonly directions: string | null;
  /** Where the development of its unit is; `null` without a unit, or if the format has no developments. */
  readonly development: DevelopmentPlace | null;
  /** Feature ids in the property's order, separated by commas. */
  readonly features: string | null;
  /** In the order of the selection's languages; with the addresses of pages if the format shows them. */
  readonly descriptions: readonly (string | null)[];
}

/** The columns a format needs in addition to the common ones. */
export interface FurtherColumns {
  /** Always the same array for a format. */
  readonly furtherFields: readonly FieldColumn[];
  /** Whether each description follows the address of its web page and a line feed. */
  readonly withAddresses: boolean;
  /** Whether it shows units within their developments. */
  readonly withDevelopments?: boolean;
}

/** The revisions that a statement saw. */
export interface Revisions {
  /** The account's: revisions of another incarnation belong to a state of the database that a restore has undone. */
  readonly incarnation: number;
  readonly sale: number;
  readonly rental: number;
}

/** Properties in the feed's order, with the revisions at which they were read: the scope's and the vocabulary's. */
export interface PropertiesRead {
  readonly rows: readonly FeedProperty[];
  readonly revisions: Revisions;
  readonly vocabularyRevision: number;
  /** Where the next page of the scope begins; `null` if this is the last one. */
  readonly next: number | null;
  /** If the scope is a development: what the reader may see of it. `null` for other scopes, and without properties. */
  readonly development: ShownDevelopment | null;
}

export interface ShownDevelopment {
  readonly id: string;
  readonly name: string;
  readonly details: DevelopmentDetails;
}

/**
 * Reads a page of the properties of one part of a feed by one statement, which also returns the revisions of the segment (of
 * the account, for sequence numbers): the rows belong to these revisions, whatever is written in the meantime.
 *
 * @param channel of which the properties are, and whose revision is then added
 * @param from `next` of the previous page; 0 for the first
 */
export async function readProperties(
  db: D1Database,
  accountId: number,
  scope: PartScope,
  selection: Selection,
  { furtherFields, withAddresses, withDevelopments = false }: FurtherColumns,
  channel: number | null,
  from: number,
): Promise<PropertiesRead> {
  const page = pageOf(accountId, scope, selection.languages, from);
  const { policy = ALL } = selection;
  const { columns: withheld, withUrls } = withheldBy(policy);
  const address = withUrls ? "ifnull(url, '')" : "''";
  const url = withAddresses ? address : null;
  const account = accountWithRevisions(accountId, scope, channel);
  const isShown = sql`${page.contains} AND ${listed(selection, channel)}`;
  const rows = await drizzle(db).all<Row>(sql`
    WITH page (next) AS MATERIALIZED (${page.end})
    SELECT ${selected(furtherFields, withheld)}, ${account.saleRevision} AS sale, ${account.rentalRevision} AS rental,
           max(${sql.raw(CATEGORIES[selection.category].updatedAt)}, ${policy.since ?? 0}) AS updated_at,
           (SELECT next FROM page) AS next,
           ${policy.place === 'moved' ? sql`a.place_secret` : sql`NULL`} AS place_secret${withDevelopments ? developmentColumn(scope, isShown) : sql``}
           ${sql.join(selection.languages.map((language) => textColumn(language, url)))}
      FROM accounts a
      LEFT JOIN properties p ON p.account_id = a.id AND ${isShown}
      LEFT JOIN units u ON u.id = p.unit_id
      LEFT JOIN developments d ON d.id = u.development_id
     WHERE ${account.condition}
     ORDER BY ${'numbers' in scope ? sql`p.listed_at DESC, p.sequence_number DESC` : sql`p.sequence_number`}`);
  const [first] = rows;
  if (first === undefined) throw new Error('The account or its segment no longer exists');
  const { incarnation, sale, rental, vocabulary_revision: vocabularyRevision, next } = first;
  const development = 'development' in scope ? developmentIn(first, policy) : null;
  const place = development?.details;
  return {
    rows: first.identifier === null ? [] : rows.map((row) => completed(row, selection.languages, policy, place)),
    revisions: { incarnation, sale, rental },
    vocabularyRevision,
    next,
    development,
  };
}

/** All pages of the properties of one part, by the arguments of {@link readProperties} that they share. */
export async function* readPages(...part: PartOf<Parameters<typeof readProperties>>) {
  for (let from: number | null = 0; from !== null; ) {
    const page: PropertiesRead = await readProperties(...part, from);
    yield page;
    from = page.next;
  }
}

type PartOf<Arguments> = Arguments extends [...infer Part, from: number] ? Part : never;

/**
 * The sequence numbers of all properties that a feed lists, newest listing first, ties by sequence number, newest first;
 * and the account's revisions that this order belongs to.
 */
export async function readListingOrder(
  db: D1Database,
  accountId: number,
  selection: Selection,
  channel: number | null = null,
): Promise<{ numbers: readonly number[]; revisions: Revisions }> {
  const [row] = await drizzle(db).all<{ numbers: string } & Revisions>(sql`
    SELECT a.incarnation, ${revisionIn(channel, null, sql`a.sale_revision`, sql`a.id`)} AS sale,
           ${revisionIn(channel, null, sql`a.rental_revision`, sql`a.id`)} AS rental, (
      SELECT json_group_array(sequence_number) FROM (
        SELECT p.sequence_number FROM properties p
         WHERE p.account_id = ${accountId} AND ${listed(selection, channel)}
         ORDER BY p.listed_at DESC, p.sequence_number DESC)) AS numbers
      FROM accounts a WHERE a.id = ${accountId}`);
  if (row === undefined) throw new Error('The account no longer exists');
  const { numbers, ...revisions } = row;
  return { numbers: JSON.parse(numbers), revisions };
}

export const FEED_COLUMNS = FIELDS.flatMap(([column, { feed }]) => (feed ? [column as FeedColumn] : []));

/**
 * The columns that every selection has from the tables, with their expressions. They are plain SQL because this statement is
 * most of the cost of a build, and reading with drizzle's select builder was measured to cost 6% more. A unit has the price
 * and the status of its property.
 */
const COLUMNS = {
  ...(Object.fromEntries(FEED_COLUMNS.map((column) => [column, `p.${column}`])) as Record<FeedColumn, string>),
  sale_price: 'iif(p.unit_id IS NULL, p.sale_price, u.price)',
  vocabulary_revision: 'a.vocabulary_revision',
  incarnation: 'a.incarnation',
  identifier: 'p.identifier',
  status: 'coalesce(u.feed_status, p.status)',
  type_id: 'p.type_id',
  development_name: 'd.name',
  unit_name: 'u.name',
  directions: 'u.directions',
  features: 'p.features',
};

/**
 * The columns with their expressions, or with the placeholder of a value that is withheld. Their names are unique: a database
 * that returns rows by name would lose one of two columns with the same name.
 */
function selected(further: readonly FieldColumn[], withheld: ReadonlySet<string>): SQL {
  const all = [...Object.entries(COLUMNS), ...further.map((column) => [column, `p.${column}`] as const)];
  const columns = all.map(([name, expression]) => {
    const shown = withheld.has(name) ? (PROPERTY_FIELDS[name as FieldColumn].absent ?? 'NULL') : expression;
    return `${shown} AS ${name}`;
  });
  return sql.raw(columns.join(', '));
}

/**
 * As JSON, where the development of a property's unit is: an empty object if that is not stated. If the scope is a development,
 * all of it and only in the first row, since its texts can be long; a window function would read and sort the rows once more.
 */
function developmentColumn(scope: PartScope, isShown: SQL): SQL {
  if (!('development' in scope)) {
    return sql`, iif(d.id IS NULL, NULL, ifnull(json_remove(d.details, '$.texts', '$.pictures'), '{}')) AS development`;
  }
  return sql`, iif(p.sequence_number = (SELECT min(p.sequence_number) FROM properties p WHERE ${isShown}),
    json_object('id', d.identifier, 'name', d.name, 'details', json(ifnull(d.details, '{}'))), NULL) AS development`;
}

type Row = Omit<FeedProperty, 'descriptions' | 'development'> &
  Revisions & {
    readonly vocabulary_revision: number;
    readonly next: number | null;
    /** Only if places are to be moved. */
    readonly place_secret: string | null;
    readonly development?: string | null;
    readonly [text: `text_${number}`]: string | null;
  };

/** The row itself, as nothing else refers to it, with its descriptions and, if required, its moved place. */
function completed(
  row: Row,
  languages: readonly number[],
  policy: Policy,
  place: DevelopmentPlace | undefined,
): FeedProperty {
  const { latitude, longitude, place_secret: secret, development } = row;
  const isMoved = secret !== null && latitude !== null && longitude !== null;
  return Object.assign(
    row,
    {
      descriptions: languages.map((language) => row[`text_${language}`] ?? null),
      development: place ?? (development == null ? null : shownTo(policy, secret, JSON.parse(development))),
    },
    isMoved && movedPlace({ latitude, longitude }, secret),
  );
}

function developmentIn({ development: text, place_secret: secret }: Row, policy: Policy): ShownDevelopment | null {
  if (text == null) return null;
  const { details, ...development } = JSON.parse(text);
  return { ...development, details: shownTo(policy, secret, details) };
}

function shownTo(policy: Policy, secret: string | null, details: Partial<DevelopmentDetails>): DevelopmentDetails {
  return placeShown({ ...NO_DETAILS, ...details }, policy, secret ?? '');
}

const ALL: Policy = { withhold: [], place: 'exact', kind: null };

/**
 * Which account `a` to read, if it has the scope, and the scope's revisions. These are subqueries, which SQLite evaluates
 * once, because the account's segments would be parsed again for every property; rather than a materialized table, which would make
 * SQLite sort the properties instead of reading them in the order of their index.
 */
function accountWithRevisions(accountId: number, scope: PartScope, channel: number | null) {
  const read = (revision: SQL) => sql`(SELECT ${revision} FROM accounts WHERE id = ${accountId})`;
  const isAccount = sql`a.id = ${accountId}`;
  if ('development' in scope) {
    const revision = read(developmentRevision(scope.development, channel));
    return { saleRevision: revision, rentalRevision: revision, condition: isAccount };
  }
  const [number, segment] = 'segment' in scope ? [scope.segment, `segments -> '$.${scope.segment}'`] : [null, null];
  const revision = (ofAccount: string, place: 0 | 1) =>
    read(revisionIn(channel, number, sql.raw(segment === null ? ofAccount : `(${segment} ->> ${place})`)));
  return {
    saleRevision: revision('sale_revision', 0),
    rentalRevision: revision('rental_revision', 1),
    condition: segment === null ? isAccount : sql`${isAccount} AND a.${sql.raw(segment)} IS NOT NULL`,
  };
}

/** Whether a property `p` is in the feed. Its unit's status replaces its own. */
function listed(selection: Selection, channel: number | null): SQL {
  const status = 'coalesce((SELECT feed_status FROM units WHERE id = p.unit_id), p.status)';
  return and(
    sql`p.listed`,
    sql.raw(selection.availableOnly ? `${status} = 'Available'` : `${status} <> 'Sold'`),
    sql.raw(CATEGORIES[selection.category].offered),
    selection.onWebsites ? sql`p.on_own_website AND p.on_other_websites` : undefined,
    selection.withoutRented ? sql`NOT p.rented` : undefined,
    channel === null ? undefined : isInChannel(channel),
    selection.policy?.kind == null ? undefined : isAllowedFor(selection.policy.kind),
  )!;
}

/** By category, whether a property is offered, and when its data in such feeds last changed. */
const CATEGORIES = {
  SALE: { offered: 'p.for_sale', updatedAt: 'p.sale_updated_at' },
  RENT: { offered: 'p.for_rent', updatedAt: 'p.rental_updated_at' },
  All: { offered: '(p.for_sale OR p.for_rent)', updatedAt: 'max(p.sale_updated_at, p.rental_updated_at)' },
} as const;

/**
 * The description in a language; or the address of its page, if it is a single line, a line feed, and the description.
 *
 * @param url `null` without addresses
 */
function textColumn(language: number, url: string | null): SQL {
  const text =
    url === null ? 'description' : `iif(instr(${url}, char(10)), '', ${url}) || char(10) || ifnull(description, '')`;
  return sql`, (SELECT ${sql.raw(text)} FROM property_texts WHERE id = p.id * 128 + ${language})
    AS ${sql.raw(`text_${language}`)}`;
}
