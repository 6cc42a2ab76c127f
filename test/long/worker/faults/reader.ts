import { expect } from 'vitest';
import { parseXml } from '../../../support/documents/xml.ts';
import type { Random } from '../../../support/random.ts';
import type { TestAgency } from './agency.ts';
import { DeliveriesReceived } from './deliveries.ts';
import type { Isolate } from './isolate.ts';
import { checkAborted, checkFeed } from './oracle.ts';
import type { Exchange, Service } from './service.ts';

type Query = Readonly<Record<string, string>>;

/** Parameter sets that differ in their order, their revisions and their nodes. */
export const QUERIES: readonly Query[] = [
  {},
  { T: 'SALE' },
  { T: 'RENT', AR: 'TRUE', ARP: 'TRUE', ShowRTA: 'TRUE' },
  { FV: '3', Language: '1,2,3' },
  { FV: '3', DisplayListingDate: 'TRUE' },
  { FV: '2', NW: 'TRUE', ExRented: 'TRUE', IC: '1', OnlyAvailable: 'TRUE' },
];

export const ENCODINGS = ['gzip', 'identity'];

interface Held {
  readonly etag: string;
  readonly date: string | null;
  readonly exchange: Exchange;
}

/** Readers of all feeds of a service: what they hold of each, for conditional requests. */
export class Readers {
  readonly counts: Record<string, number> = {};
  readonly #deliveries = new Map<TestAgency, DeliveriesReceived>();
  readonly #held = new Map<string, Held>();
  /** The body that each strong ETag was sent with. */
  readonly #bodies = new Map<string, string>();

  private readonly service: Service;
  private readonly random: Random;

  constructor(service: Service, random: Random) {
    this.service = service;
    this.random = random;
  }

  /**
   * Requests a feed in any way, and checks what it receives.
   *
   * @param isQuiet whether nothing fails and nobody writes
   */
  async readAny(agency: TestAgency, query: Query, isQuiet: boolean): Promise<void> {
    const { random } = this;
    const encoding = random.pick(ENCODINGS);
    const held = this.#held.get(keyOf(agency, query, encoding));
    const way = random.next();
    const headers: Record<string, string> = { 'Accept-Encoding': encoding };
    if (held !== undefined && way < 0.5) headers['If-None-Match'] = held.etag;
    else if (held?.date != null && way < 0.6) headers['If-Modified-Since'] = held.date;
    const disconnects = way > 0.93 && way < 0.98;
    const hasKey = random.next() < 0.5;
    const password = way >= 0.98 ? 'guess' : hasKey ? agency.key : 'secret';
    const options = disconnects ? { chunks: random.between(0, 1) } : {};
    const exchange = await this.service.send(pathOf(agency, query, password), { headers }, options);
    if (hasKey) this.#deliveriesTo(agency).add(exchange);
    this.#count(exchange);
    if (way >= 0.98) return this.#checkDenied(exchange);
    await this.#check(agency, query, encoding, exchange, held, isQuiet);
  }

  /** Requests a feed while nothing fails: it must be there. */
  async readWhole(agency: TestAgency, query: Query, encoding: string, isolate: Isolate) {
    const init = { headers: { 'Accept-Encoding': encoding } };
    const exchange = await this.service.send(pathOf(agency, query), init, { isolate });
    expect([exchange.status, exchange.end]).toEqual([200, 'complete']);
    await this.#check(agency, query, encoding, exchange, undefined, true);
    return exchange;
  }

  /** Checks the ledger, which records a feed once nothing fails: at the latest ten minutes after the last failure. */
  async checkLedger(agency: TestAgency): Promise<void> {
    this.service.advance(600_000);
    const received = this.#deliveriesTo(agency);
    await received.check(agency);
    received.add(
      await this.service.send(pathOf(agency, {}, agency.key), {}, { withFaults: false }),
    );
    expect(await received.check(agency)).toContain(Math.floor(Date.now() / 1_000));
  }

  #deliveriesTo(agency: TestAgency): DeliveriesReceived {
    const deliveries = this.#deliveries.get(agency) ?? new DeliveriesReceived();
    this.#deliveries.set(agency, deliveries);
    return deliveries;
  }

  async #check(
    agency: TestAgency,
    query: Query,
    encoding: string,
    exchange: Exchange,
    held: Held | undefined,
    isQuiet: boolean,
  ): Promise<void> {
    const { status, end, headers, begun, ended, isolate, mishaps } = exchange;
    const circumstances = { begun, ended, isolate, isD1Failing: mishaps.hadNoAnswerFromD1 };
    expect(isQuiet ? [200, 304] : [200, 304, 503]).toContain(status);
    if (isQuiet) expect(end).not.toBe('aborted');
    if (status === 304) {
      expect(held, 'a 304 without a condition').toBeDefined();
      return checkFeed(agency, query, held!.exchange, circumstances);
    }
    if (end === 'aborted') return checkAborted(exchange);
    if (end === 'disconnected') return;
    await checkFeed(agency, query, exchange, circumstances);
    if (status === 503) {
      expect(textOf(exchange)).toContain('<code>unavailable</code>');
      expect(headers.get('Retry-After')).toBe('30');
      return;
    }
    const etag = headers.get('ETag')!;
    this.#checkUnique(etag, exchange);
    this.#held.set(keyOf(agency, query, encoding), {
      etag,
      date: headers.get('Last-Modified'),
      exchange,
    });
  }

  #checkDenied(exchange: Exchange): void {
    expect([401, 503]).toContain(exchange.status);
    expect(parseXml(textOf(exchange)).textOf('error/code')).toMatch(
      /^(bad_credentials|unavailable)$/,
    );
  }

  #checkUnique(etag: string, { bytes }: Exchange): void {
    if (etag.startsWith('W/')) return;
    const body = Buffer.from(bytes).toString('base64');
    expect(this.#bodies.get(etag) ?? body, 'two bodies under one strong ETag').toBe(body);
    this.#bodies.set(etag, body);
  }

  #count({ status, end }: Exchange): void {
    const name = end === 'complete' ? String(status) : end;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

function pathOf({ code }: TestAgency, query: Query, password = 'secret'): string {
  return `/CreateXMLFeedV3.asp?${new URLSearchParams({ U: `OWNPROPERTIES@${code}`, P: password, ...query })}`;
}

function keyOf({ code }: TestAgency, query: object, encoding: string): string {
  return JSON.stringify([code, query, encoding]);
}

function textOf({ bytes }: Exchange): string {
  return new TextDecoder().decode(bytes);
}
