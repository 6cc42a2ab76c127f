import { properties } from '../../db/schema.ts';
import { selectOne } from '../../db/statements.ts';
import { readPages } from '../../feed/build/feed-properties.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import type { FeedParameters } from '../../feed/formats/parameters.ts';
import { type EpochSeconds, isoTime } from '../../lib/time/time.ts';
import { readVocabulary } from '../../vocabulary/stored.ts';

const KYERO = FORMATS.find(({ name }) => name === 'kyero')!;

/**
 * Properties of an account in a file of another program in Kyero's format: as the feed has them,
 * with new prices, written as people write them (`121.000 €`), and with records that are rejected.
 *
 * @param prices of sales, by the identifiers of properties
 * @param time when the prices were changed
 */
export async function kyeroFile(
  db: D1Database,
  accountId: number,
  prices: Readonly<Record<string, number>>,
  rejected: readonly string[],
  time: EpochSeconds,
): Promise<string> {
  const parameters = KYERO.parse({}).parameters as FeedParameters;
  const labels = KYERO.renderDictionary(await readVocabulary(db, accountId), parameters.languages);
  const reading = { accountId, selection: parameters, needs: KYERO, channel: null };
  const records: string[] = [];
  for (const [identifier, price] of Object.entries(prices)) {
    const property = await selectOne(db, properties, ['number'], { accountId, identifier });
    const scope = { numbers: JSON.stringify([property!.number]) };
    for await (const { read } of readPages(db, reading, scope)) {
      records.push(
        withPrice(KYERO.writeProperties(read.rows, parameters, labels).text, price, time),
      );
    }
  }
  return [KYERO.head(parameters), ...records, ...rejected, KYERO.tail].join('\n');
}

function withPrice(record: string, price: number, time: EpochSeconds): string {
  const shown = `${price.toLocaleString('de-DE')} €`;
  const date = isoTime(time).replace('T', ' ').replace('Z', '');
  return record
    .replace(/<price>[^<]*<\/price>/, `<price>${shown}</price>`)
    .replace(/<date>[^<]*<\/date>/, `<date>${date}</date>`);
}
