import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { ELEMENTS } from '../../lib/languages.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import {
  type DevelopmentDetails,
  type DevelopmentPlace,
  NO_DETAILS,
} from '../../properties/development.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import type { PictureEntry } from '../../properties/pictures.ts';
import {
  contains,
  orderOf,
  PAGE_BYTES,
  type PartScope,
  pagesOf,
} from '../../properties/store/part-scope.ts';
import { type StoredDocument, storedFields } from '../../properties/store/property-rows.ts';
import { isWithheld, type Policy, placeShown, redactor } from '../../readers/policy.ts';
import {
  listedByItself,
  listedIn,
  listedWithUnit,
  type Selection,
} from '../../readers/selection.ts';
import { VOCABULARY_REVISION } from '../../vocabulary/stored.ts';
import { developmentNumber, segmentNumber } from '../manifest/segments.ts';

/** A field of a property's document that a format can show. */
export type FeedField = Exclude<keyof StoredDocument, 'unit'>;

/** What a format shows of the unit that a property is. */
export interface FeedUnit {
  readonly name: string;
  /** JSON. */
  readonly directions: string;
  readonly developmentName: string;
  /** Where the development is; `null` if the format has no developments. */
  readonly place: DevelopmentPlace | null;
}

/** What every format gets of a property. */
export interface CommonProperty {
  readonly id: string;
  /** When it last changed, or the reader's policy. */
  readonly updated_at: EpochSeconds;
  /** In the order of the selection's languages. */
  readonly descriptions: readonly (string | null)[];
  /** The addresses of its pages, in the same order; empty if the format shows none. */
  readonly urls: readonly (string | null)[];
  /** In the order of display. */
  readonly pictures: readonly PictureEntry[];
  readonly unit: FeedUnit | null;
}

/**
 * A property as a reader may see it, with the fields that a format declares. If it is a unit, it has the unit's status and price.
 */
export type FeedProperty<Field extends FeedField = FeedField> = CommonProperty &
  Readonly<Pick<PropertyDocument, Field>>;

/** What a format needs of properties. */
export interface FormatNeeds {
  /** The fields that it shows. */
  readonly fields: readonly FeedField[];
  /** Whether it shows the addresses of web pages. */
  readonly withAddresses: boolean;
  /** Whether it shows units within their developments. */
  readonly withDevelopments?: boolean;
}

/** The state of an account, or of a part of it: numbers of another incarnation belong to a state that a restore has undone. */
export interface Revision {
  readonly incarnation: number;
  /** The number of the last change. */
  readonly number: number;
}

/** Properties in the feed's order, with the revisions at which they were read: the scope's and the vocabulary's. */
export interface PropertiesRead {
  readonly rows: readonly FeedProperty[];
  readonly revision: Revision;
  readonly vocabularyRevision: string;
  /** If the scope is a development: what the reader may see of it. `null` for other scopes. */
  readonly development: ShownDevelopment | null;
}

export interface ShownDevelopment {
  readonly id: string;
  readonly name: string;
  readonly details: DevelopmentDetails;
}

const ALL: Policy = { withhold: [], place: 'exact', kind: null };

/** What a feed needs of the properties of its parts. */
export interface Reading {
  readonly accountId: number;
  readonly selection: Selection;
  readonly needs: Pick<FormatNeeds, 'withAddresses' | 'withDevelopments'>;
  /** The id of the channel whose properties are read; `null` for all. */
  readonly channel: number | null;
}

/**
 * Reads the properties of one part of a feed, or of a page of it, by one statement, which also returns the revision of the segment or
 * the development (of the account, for numbers): the rows belong to this revision, whatever is written in the meantime.
 *
 * @returns `null` if the properties are too large for one page, unless it is known that they are not
 * @throws if the account or its part no longer exists
 */
export async function readProperties(
  db: D1Database,
  reading: Reading,
  scope: PartScope,
  isSmall = false,
): Promise<PropertiesRead | null> {
  const { accountId, selection, needs, channel } = reading;
  const { policy = ALL, languages } = selection;
  const withUrls = needs.withAddresses && !isWithheld(policy, 'url');
  const fits = isSmall
    ? sql`1`
    : sql`(SELECT ifnull(sum(p.bytes), 0) FROM properties p WHERE ${contains(accountId, scope)}) <= ${PAGE_BYTES}`;
  const place = needs.withDevelopments
    ? sql`, json_remove(d.document -> '$.details', '$.texts', '$.pictures') AS place`
    : sql``;
  const rows = await drizzle(db).all<Row>(sql`
    WITH page (fits) AS MATERIALIZED (SELECT ${fits})
    SELECT a.incarnation, (SELECT ${numberOf(scope)} FROM accounts WHERE id = ${accountId}) AS number,
           ${sql.raw(VOCABULARY_REVISION)} AS vocabulary_revision, (SELECT fits FROM page) AS fits,
           ${policy.place === 'moved' ? sql`a.place_secret` : sql`NULL`} AS place_secret,
           p.identifier, p.document, p.pictures, p.changed_at, ${listedWithUnit(selection)} AS is_listed,
           u.name AS unit, u.feed_status, u.price, u.directions, d.name AS development${place}
           ${sql.join(languages.map((language) => textColumns(language, withUrls)))}
      FROM accounts a
      LEFT JOIN properties p ON ${contains(accountId, scope)} AND ${listedByItself(selection, channel)}
        AND (SELECT fits FROM page)
      LEFT JOIN units u ON u.id = p.unit_id
      LEFT JOIN developments d ON d.id = u.development_id
     WHERE a.id = ${accountId}
     ORDER BY ${orderOf(scope)}`);
  const [first] = rows;
  if (first?.number == null) throw new Error('The account or its part no longer exists');
  if (first.fits === 0) return null;
  const {
    incarnation,
    number,
    vocabulary_revision: vocabularyRevision,
    place_secret: secret,
  } = first;
  const listed = rows.filter((row) => row.is_listed === 1);
  const redact = redactor(policy, secret ?? '');
  const isOfDevelopment = 'development' in scope && listed.length > 0;
  const development = isOfDevelopment
    ? await readDevelopment(db, accountId, scope.development, policy, secret)
    : null;
  // It has changed since: it and its units are read again.
  if (development !== null && development.number !== number)
    return readProperties(db, reading, scope, isSmall);
  return {
    rows: listed.map((row) =>
      propertyOf(row, redact(storedFields(row.document)), { languages, policy, withUrls }),
    ),
    revision: { incarnation, number },
    vocabularyRevision,
    development: development?.shown ?? null,
  };
}

/** A page of a part, and whether it is the last one. */
export interface Page {
  readonly read: PropertiesRead;
  readonly isLast: boolean;
}

/**
 * The pages of a part: one for most, since a part of long texts does not fit into memory as a whole. They belong together if all
 * have the same revision.
 *
 * @param bytes of the properties, if they are known
 */
export async function* readPages(
  db: D1Database,
  reading: Reading,
  scope: PartScope,
  bytes?: number,
): AsyncGenerator<Page> {
  const isLarge = bytes !== undefined && bytes > PAGE_BYTES;
  const whole = isLarge ? null : await readProperties(db, reading, scope, bytes !== undefined);
  if (whole !== null) {
    yield { read: whole, isLast: true };
    return;
  }
  const pages = await pagesOf(db, reading.accountId, scope);
  for (const [index, page] of pages.entries()) {
    yield {
      read: (await readProperties(db, reading, page, true))!,
      isLast: index === pages.length - 1,
    };
  }
}

/**
 * The numbers of all properties that a feed lists, newest listing first, ties by number, newest first; and the account's revision
 * that this order belongs to.
 */
export async function readListingOrder(
  db: D1Database,
  accountId: number,
  selection: Selection,
  channel: number | null = null,
): Promise<{ numbers: readonly number[]; revision: Revision }> {
  const [row] = await drizzle(db).all<{ numbers: string } & Revision>(sql`
    SELECT a.incarnation, a.changes AS number, (
      SELECT json_group_array(number) FROM (
        SELECT p.number FROM properties p LEFT JOIN units u ON u.id = p.unit_id
         WHERE p.account_id = ${accountId} AND ${listedIn(selection, channel)}
         ORDER BY p.listed_at DESC, p.number DESC)) AS numbers
      FROM accounts a WHERE a.id = ${accountId}`);
  if (row === undefined) throw new Error('The account no longer exists');
  const { numbers, ...revision } = row;
  return { numbers: JSON.parse(numbers), revision };
}

/** What {@link readProperties} selects for a property; without one, its columns are null. */
interface Row extends Revision {
  readonly vocabulary_revision: string;
  /** Whether the properties fit on one page. */
  readonly fits: 0 | 1;
  /** Only if places are to be moved. */
  readonly place_secret: string | null;
  readonly identifier: string;
  readonly document: string;
  readonly pictures: string;
  readonly changed_at: EpochSeconds;
  readonly is_listed: 0 | 1 | null;
  readonly unit: string | null;
  readonly feed_status: PropertyDocument['status'];
  readonly price: number;
  readonly directions: string;
  readonly development: string;
  /** JSON. */
  readonly place?: string | null;
  readonly [text: `description_${number}` | `url_${number}`]: string | null;
}

function numberOf(scope: PartScope): SQL {
  if ('segment' in scope) return segmentNumber(scope.segment);
  return 'development' in scope ? developmentNumber(scope.development) : sql`changes`;
}

/** Only the texts that a feed shows are sent to the Worker: a property can have many more. */
function textColumns(language: number, withUrls: boolean): SQL {
  const element = ELEMENTS.get(language)!;
  const text = (name: 'description' | 'url') =>
    `, p.texts ->> '$.${element}.${name}' AS ${name}_${language}`;
  return sql.raw(text('description') + (withUrls ? text('url') : ''));
}

/** @param document what the reader may see of its document; it becomes the property, since a copy would slow builds down */
function propertyOf(
  row: Row,
  document: StoredDocument,
  {
    languages,
    policy,
    withUrls,
  }: { languages: readonly number[]; policy: Policy; withUrls: boolean },
): FeedProperty {
  const common = {
    id: row.identifier,
    updated_at: Math.max(row.changed_at, policy.since ?? 0),
    descriptions: languages.map((language) => row[`description_${language}`] ?? null),
    urls: withUrls ? languages.map((language) => row[`url_${language}`] ?? null) : [],
    pictures: JSON.parse(row.pictures) as PictureEntry[],
  };
  if (row.unit === null) return Object.assign(document, { ...common, unit: null });
  const { sale } = document.offers;
  return Object.assign(document, {
    ...common,
    status: row.feed_status,
    offers: { ...document.offers, sale: sale && { ...sale, price: row.price } },
    unit: {
      name: row.unit,
      directions: row.directions,
      developmentName: row.development,
      place:
        row.place === undefined
          ? null
          : detailsShown(JSON.parse(row.place ?? '{}'), policy, row.place_secret ?? ''),
    },
  });
}

/** What a reader may see of a development, with the number of the last change of it and its units. */
async function readDevelopment(
  db: D1Database,
  accountId: number,
  id: number,
  policy: Policy,
  secret: string | null,
) {
  const [row] = await drizzle(db).all<{ id: string; document: string; number: number }>(sql`
    SELECT identifier AS id, document, (SELECT ${developmentNumber(id)} FROM accounts WHERE id = ${accountId}) AS number
      FROM developments WHERE account_id = ${accountId} AND id = ${id}`);
  if (row === undefined) return null;
  const { name, details = {} } = JSON.parse(row.document);
  const shown: ShownDevelopment = {
    id: row.id,
    name,
    details: detailsShown(details, policy, secret ?? ''),
  };
  return { shown, number: row.number };
}

function detailsShown(
  details: Partial<DevelopmentDetails>,
  policy: Policy,
  secret: string,
): DevelopmentDetails {
  return placeShown({ ...NO_DETAILS, ...details }, policy, secret);
}
