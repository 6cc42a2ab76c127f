import { findAccountId } from '../../../src/accounts/accounts.ts';
import {
  type PortfolioDocument,
  type PropertyDocument,
  parseDocument,
} from '../../../src/properties/documents.ts';
import { newReader } from '../../../src/readers/api/reader.ts';
import { findChannelId } from '../../../src/readers/channels.ts';
import { createReader } from '../../../src/readers/readers.ts';
import { Random } from '../../support/random.ts';
import { loadAccount } from './accounts.ts';
import { portfolio } from './portfolio.ts';

/** The code of an agency as its console shows it, and its properties. */
export const AGENCY_CODE = 'AGENCY';
export const AGENCY_PROPERTIES = 10_000;

const TOWNS = ['Marbella', 'Estepona', 'Mijas', 'Nerja', 'Ronda', 'Málaga', 'Casares', 'Benahavís'];
const STATUSES = ['Under Offer', 'Sale Agreed', 'Sold', 'Withdrawn'] as const;

/** Every so many properties, one is off the market or about to be; one is in the channel; one has an English text alone. */
const [OFF_EVERY, LISTED_EVERY, ENGLISH_EVERY] = [8, 3, 10];

const CHANNEL = 'coast';

/** What decides which properties a portal gets: rules that need no document, ones that do, a channel, and a kind of portal. */
const PORTALS = [
  { name: 'kyero', portal: 'kyero', preset: '', policy: 'kind=international_portal' },
  {
    name: 'idealista',
    portal: 'idealista',
    preset: `CustomerCode=ilc${'a1'.repeat(20)}`,
    policy: 'kind=national_portal',
  },
  { name: 'website', portal: 'website', preset: 'FV=3', policy: '', isOfChannel: true },
  {
    name: 'thinkspain',
    portal: 'thinkspain',
    preset: '',
    policy: `selection=${JSON.stringify({ towns: TOWNS.slice(0, 4), price: { min: 300_000 } })}`,
  },
  {
    name: 'sun',
    portal: 'aplaceinthesun',
    preset: 'T=SALE',
    policy: `selection=${JSON.stringify({ photographs: 5 })}`,
  },
] as const;

/** The portfolio of the bench, of which hardly two properties are alike. */
function* documents(): Generator<PortfolioDocument> {
  const random = new Random(20_261_129);
  let number = 0;
  for (const document of portfolio(AGENCY_PROPERTIES)) {
    if (document.kind !== 'property') {
      yield document;
      continue;
    }
    number++;
    const { texts, offers, location } = document as PropertyDocument;
    const { sale } = offers;
    const own = (text: PropertyDocument['texts']['uk']) =>
      text && { ...text, description: `${document.ref}. ${text.description ?? ''}` };
    yield parseDocument({
      ...document,
      town: random.pick(TOWNS),
      status: number % OFF_EVERY === 0 ? random.pick(STATUSES) : 'Available',
      beds: random.between(0, 6),
      location: location && {
        latitude: location.latitude + random.between(0, 90_000) / 1e6,
        longitude: location.longitude + random.between(0, 90_000) / 1e6,
      },
      offers: sale?.price
        ? { ...offers, sale: { ...sale, price: 90_000 + 1_000 * random.between(0, 900) } }
        : offers,
      channels: number % LISTED_EVERY === 0 ? [CHANNEL] : [],
      texts:
        number % ENGLISH_EVERY === 0
          ? { uk: own(texts.uk) }
          : { uk: own(texts.uk), es: own(texts.es) },
    } as never);
  }
}

/** Creates the agency with its portals; returns the id of its account. */
export async function loadAgency(db: D1Database): Promise<number> {
  await loadAccount(db, AGENCY_CODE, documents());
  const accountId = (await findAccountId(db, AGENCY_CODE))!;
  for (const given of PORTALS) {
    const { name, portal, preset, policy } = given;
    const channelId =
      'isOfChannel' in given ? await findChannelId(db, { accountId, name: CHANNEL }) : null;
    const request = {
      accountId,
      name,
      portal,
      title: name,
      preset,
      policy,
      channelId,
      fixed: false,
    };
    const created = newReader(request);
    if ('errors' in created) throw new Error(JSON.stringify(created.errors));
    await createReader(db, created.reader);
  }
  return accountId;
}
