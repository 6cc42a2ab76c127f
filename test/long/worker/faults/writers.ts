import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { PropertyDocument, UnitDocument } from '../../../../src/properties/documents.ts';
import { store } from '../../../support/accounts/portfolio.ts';
import type { Random } from '../../../support/random.ts';
import { DEVELOPMENT, renamedType, type TestAgency, unit, variant } from './agency.ts';
import type { Exchange, Service } from './service.ts';
import { Versions } from './versions.ts';

/** Attempts until a writer's own requests have no more faults, since every writer repeats until it succeeds. */
const MAX_ATTEMPTS = 4;

/** Attempts until it must succeed: a token request shares the failure of another one with the same credentials. */
const MOST_ATTEMPTS = 12;

/** Milliseconds for which a writer uses a token. */
const TOKEN_USE = 30 * 60_000;

/** Who imports: none of the isolates. */
const IMPORTER = {};

/** Integrators who update units, and operators who import. */
export class Writers {
  readonly counts = { updates: 0, imports: 0, repeated: 0 };
  readonly #tokens = new Map<TestAgency, { readonly token: string; readonly since: number }>();
  #changes = 0;

  private readonly service: Service;
  private readonly random: Random;

  constructor(service: Service, random: Random) {
    this.service = service;
    this.random = random;
  }

  /** Updates one or two units, and repeats that until it is acknowledged. */
  async update(agency: TestAgency, names: readonly string[]): Promise<void> {
    const token = await this.#tokenOf(agency);
    const { random } = this;
    const updates = names.map((name) => {
      const next = unit(
        name,
        random.pick([1, 1, 2, 4, 8]),
        ++this.#changes,
        random.pick([[], ['N'], ['S', 'SE']]),
      );
      return { next, acknowledge: agency.units.get(name)!.begin(next) };
    });
    const isSingle = names.length === 1;
    const bodies = updates.map(({ next }) => bodyOf(next));
    const path = `/v1/developments/${DEVELOPMENT}/units/${isSingle ? 'update-by-name' : 'update-many'}`;
    const init = {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(isSingle ? bodies[0] : bodies),
    };
    const exchange = await this.#repeat(path, init, (response) => !isSingle && hasFailed(response));
    const said = JSON.parse(textOf(exchange));
    const units = isSingle ? [said] : said.results.map((result: { unit: unknown }) => result.unit);
    updates.forEach(({ acknowledge }, index) => {
      expect(units[index]).toMatchObject(bodies[index]!);
      acknowledge(exchange.isolate);
      this.counts.updates++;
    });
  }

  /** Imports changed properties, and sometimes a new one or another label; the operator repeats what has failed. */
  async import(agency: TestAgency): Promise<void> {
    const { random, service } = this;
    const ids = random.some([...agency.properties.keys()], random.between(1, 3));
    const change = ++this.#changes;
    const changed = ids.map((id) => {
      const known = agency.properties.get(id)!.all.find((version) => version !== null)!;
      const day = (Date.parse(known.listed_at) - Date.UTC(2026, 0, 1)) / 86_400_000;
      const next = variant(id, day, change, known.unit?.name);
      return { next, acknowledge: agency.properties.get(id)!.begin(next) };
    });
    if (random.next() < 0.3) {
      const added = variant(`${agency.code}-new-${change}`, 100 + change, change);
      const versions = new Versions<PropertyDocument | null>(null, service.clock);
      agency.properties.set(added.id, versions);
      changed.push({ next: added, acknowledge: versions.begin(added) });
    }
    const type = random.next() < 0.3 ? renamedType(change) : null;
    const acknowledgeType = type === null ? null : agency.type.begin(type);
    const documents = [...(type === null ? [] : [type]), ...changed.map(({ next }) => next)];
    for (let attempt = 1; ; attempt++) {
      const db = attempt < MAX_ATTEMPTS ? service.faults.forRequest().bindings.DB : env.DB;
      try {
        await store(db, agency.accountId, documents);
        break;
      } catch (error) {
        expect(String(error)).toContain('D1_ERROR');
        this.counts.repeated++;
      }
    }
    for (const { acknowledge } of changed) acknowledge(IMPORTER);
    acknowledgeType?.(IMPORTER);
    this.counts.imports++;
  }

  async #tokenOf(agency: TestAgency): Promise<string> {
    const { clientId, secret } = agency;
    const known = this.#tokens.get(agency);
    if (known !== undefined && Date.now() - known.since < TOKEN_USE) return known.token;
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
    });
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: String(body),
    };
    const token = JSON.parse(
      textOf(await this.#repeat('/oauth/token', init, () => false)),
    ).access_token;
    this.#tokens.set(agency, { token, since: Date.now() });
    return token;
  }

  /** Sends a request until it succeeds. Until then it must get a 503 with an error document. */
  async #repeat(
    path: string,
    init: RequestInit,
    failed: (exchange: Exchange) => boolean,
  ): Promise<Exchange> {
    for (let attempt = 1; ; attempt++) {
      const exchange = await this.service.send(path, init, { withFaults: attempt < MAX_ATTEMPTS });
      if (exchange.status !== 200) checkUnavailable(path, exchange);
      else if (!failed(exchange)) return exchange;
      expect(attempt).toBeLessThan(MOST_ATTEMPTS);
      this.counts.repeated++;
    }
  }
}

function bodyOf({ name, status, price, directions }: UnitDocument) {
  return { UntName: name, UntStatus: status, UntPrice: price, UntDirections: directions };
}

/** Whether any result of an update-many is a failure; all that may fail here is D1. */
function hasFailed(exchange: Exchange): boolean {
  const { results } = JSON.parse(textOf(exchange)) as {
    results: { status: number; code: string }[];
  };
  const failures = results.filter(({ status }) => status !== 200);
  for (const { status, code } of failures) expect([status, code]).toEqual([503, 'unavailable']);
  return failures.length > 0;
}

function checkUnavailable(path: string, exchange: Exchange): void {
  const { status, headers } = exchange;
  expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
  const said = JSON.parse(textOf(exchange));
  if (path === '/oauth/token') {
    expect(headers.get('Content-Type')).toBe('application/json');
    expect(said).toMatchObject({
      error: 'temporarily_unavailable',
      error_description: expect.any(String),
    });
  } else {
    expect(headers.get('Content-Type')).toBe('application/problem+json');
    expect(said).toMatchObject({ status: 503, code: 'unavailable' });
  }
}

function textOf({ bytes }: Exchange): string {
  return new TextDecoder().decode(bytes);
}
