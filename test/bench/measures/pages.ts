import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Bench } from '../bench.ts';
import { accountCode, PASSWORD } from '../data/accounts.ts';
import { AGENCY_CODE, AGENCY_PROPERTIES, loadAgency } from '../data/agency.ts';
import { alternate, type Measure, markdown, type Row, type Sample } from '../report.ts';
import type { Lindero } from '../servers/lindero.ts';
import { usageOf } from './cost.ts';

/** The pages that are timed, and the others whose statements are counted as well. */
const TIMED = [
  ['the list', '/properties'],
  ['home', '/'],
  ['a portal', '/portal?name=kyero'],
] as const;
const COUNTED = [
  ...TIMED,
  ['a search', '/properties?q=marbella+piscina'],
  ['filters', '/properties?town=Marbella&beds=3&price=200000-300000'],
  ['what a portal leaves out', '/properties?portal=kyero:withdrawn'],
  ['a finding', '/properties?finding=description_missing_in_language'],
  ['page 100', '/properties?page=100'],
  ['the report', '/report'],
  ['developments', '/developments'],
  ['the log', '/settings/log'],
] as const;

/** Longer than a page waits until what is not yet checked may be. */
const CHECKED_WITHIN = 300_000;

/** Somebody who has signed in at the console of the agency. */
interface Visitor {
  get(path: string): Promise<string>;
  /** A change of one property, by its unit. */
  change(): Promise<unknown>;
}

/** Pages of an agency with 10,000 properties, unchanged and after a change, against a bare Worker that reads its documents. */
export const pages: Measure<Bench> = {
  name: 'pages',
  async run(bench) {
    const { options, load } = bench;
    const lindero = await bench.lindero();
    const visitor = await visit(lindero);
    const bare = await bench.bare('bare-build', { ofData: true });
    const rows: Row[] = [];
    const timed = async (path: string): Promise<Sample> => {
      const started = performance.now();
      await visitor.get(path);
      return { figure: performance.now() - started, processor: null };
    };
    for (const [name, path] of TIMED) {
      await visitor.get(path);
      const samples = await alternate(options.rounds, {
        unchanged: () => timed(path),
        changed: async () => {
          await visitor.change();
          return timed(path);
        },
        peer: async () => {
          const paths = [`/${accountCode(AGENCY_PROPERTIES)}/identity`];
          const read = await load.run(bare, { paths, connections: 1, requests: 1, status: 200 });
          return { figure: read.milliseconds, processor: null };
        },
      });
      const row = {
        measure: 'pages',
        unit: 'ms',
        against: 'bare rows as JSON',
        other: samples.peer,
      } as const;
      rows.push(
        { ...row, what: `${name}, unchanged`, floor: { atMost: 0.3 }, ours: samples.unchanged },
        { ...row, what: `${name}, after a change`, floor: { atMost: 0.6 }, ours: samples.changed },
      );
    }
    bench.texts.push(await counts(await bench.counting()));
    return rows;
  },
};

async function visit({ db, origin }: Lindero): Promise<Visitor> {
  const account = await loadAgency(db);
  const signedIn = await request(`${origin}/sign-in`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
    body: new URLSearchParams({ account: AGENCY_CODE, password: PASSWORD }).toString(),
  });
  await signedIn.body.dump();
  const cookie = [signedIn.headers['set-cookie']]
    .flat()
    .map((one) => one?.split(';')[0])
    .join('; ');
  const get = async (path: string) => {
    const { statusCode, body } = await request(origin + path, {
      headers: { cookie, accept: 'text/html' },
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
    return text;
  };
  const started = performance.now();
  while ((await get('/report')).includes('data-refresh')) {
    if (performance.now() - started > CHECKED_WITHIN) throw new Error('It was not checked in time');
    await sleep(500);
  }
  const change = db
    .prepare(
      'UPDATE units SET price = price + 1 WHERE id = (SELECT min(id) FROM units WHERE account_id = ?)',
    )
    .bind(account);
  return { get, change: () => change.run() };
}

/** What each page asks of the database, exactly: unchanged, and after a change. */
async function counts(counting: Lindero): Promise<string> {
  const visitor = await visit(counting);
  const used = async (path: string) => {
    await usageOf(counting);
    await visitor.get(path);
    const { roundTrips, statements, rowsRead } = await usageOf(counting);
    return [roundTrips, statements, rowsRead].map(String);
  };
  const cells: string[][] = [];
  for (const [name, path] of COUNTED) {
    await visitor.get(path);
    const unchanged = await used(path);
    await visitor.change();
    cells.push([name, ...unchanged, ...(await used(path)).slice(1)]);
  }
  return markdown(
    ['page', 'round trips', 'statements', 'rows read', 'after a change', 'rows read then'],
    cells,
  );
}
