import { Buffer } from 'node:buffer';
import { expect, vi } from 'vitest';
import { type Agency, createAgency, DEVELOPMENT } from '../../support/accounts/agency.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { obtainToken, withToken } from '../../support/accounts/units.ts';
import { ask } from '../../support/worker/ask.ts';
import { three } from './three.ts';

const UNITS = ['A-1', 'A-2', 'A-3', 'A-4'];

/** Properties that are written at a time. */
const BATCH = 500;

/** An account in one of three databases, with rows in most tables; and what its client and readers do. */
export class ServedAccount {
  readonly code: string;
  readonly #db: D1Database;
  agency!: Agency;
  #token = '';
  #properties = UNITS.length;
  /** The price of each unit that was acknowledged. */
  readonly #prices = new Map<string, number>();
  /** By ETag, the body that it names. */
  readonly #bodies = new Map<string, string>();
  #price = 100;
  updates = 0;
  refused = 0;
  checks = 0;

  constructor(db: D1Database, code: string) {
    this.#db = db;
    this.code = code;
  }

  /** How many ETags its feed has had. */
  get states(): number {
    return this.#bodies.size;
  }

  async open(properties = UNITS.length): Promise<this> {
    const db = this.#db;
    this.agency = await createAgency(db, this.code, UNITS, [
      'units:write',
      'units:read',
      'readers:write',
    ]);
    const { accountId } = this.agency;
    for (
      ;
      this.#properties < properties;
      this.#properties += Math.min(BATCH, properties - this.#properties)
    ) {
      const length = Math.min(BATCH, properties - this.#properties);
      await store(
        db,
        accountId,
        Array.from({ length }, (_, index) => property(`M${this.#properties + index}`)),
        { actor: { kind: 'operator' } },
      );
    }
    await openReader(accountId, 'portal');
    await db
      .prepare(
        "INSERT INTO account_events (account_id, change, type) VALUES (?, 0, 'import.finished')",
      )
      .bind(accountId)
      .run();
    await this.#authenticate();
    return this;
  }

  async #authenticate(): Promise<void> {
    this.#token = await obtainToken(this.agency, undefined, three);
  }

  /** Updates a unit; returns the status. */
  async update(): Promise<number> {
    const name = UNITS[this.#price % UNITS.length]!;
    const price = ++this.#price;
    const send = () =>
      ask(
        `/v1/developments/${DEVELOPMENT}/units/update-by-name`,
        {
          method: 'POST',
          headers: withToken(this.#token),
          body: JSON.stringify({ UntName: name, UntStatus: 1, UntPrice: price, UntDirections: [] }),
        },
        three,
      );
    let response = await send();
    // The clock of the test has advanced by more than the hour for which a token is valid.
    if (response.status === 401) {
      await this.#authenticate();
      response = await send();
    }
    this.updates++;
    if (response.status === 200) this.#prices.set(name, price);
    else {
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
      this.refused++;
    }
    return response.status;
  }

  /** Fetches the feed a second later: it is complete, has everything acknowledged, and its ETag names only this body. */
  async check(): Promise<void> {
    vi.setSystemTime(Date.now() + 1_001);
    const url = `/CreateXMLFeedV3.asp?FV=3&U=OWNPROPERTIES@${this.code}&P=demo`;
    const { status, headers, bytes, text } = await ask(url, {}, three);
    expect(status).toBe(200);
    const [, ...records] = text.split('<property>');
    expect([records.length, text.trimEnd().endsWith('</root>')]).toEqual([this.#properties, true]);
    const prices = records
      .slice(0, UNITS.length)
      .map((record) => Number(/<price>(\d+)<\/price>/.exec(record)?.[1]));
    expect(prices).toEqual(UNITS.map((name) => this.#prices.get(name) ?? 100_000));
    const etag = headers.get('ETag')!;
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
    expect(this.#bodies.get(etag) ?? digest).toBe(digest);
    this.#bodies.set(etag, digest);
    this.checks++;
  }
}
