import { accountCode } from '../data/accounts.ts';
import { unitNames } from '../data/portfolio.ts';
import type { Server } from '../load/client.ts';
import { updateOf, updatePath } from '../servers/lindero.ts';
import { compare } from './compare.ts';
import type { Measure } from './measure.ts';
import { alternate, type Sample } from './rounds.ts';

const PROPERTIES = 1_000;
const REQUESTS = 800;
const CONNECTIONS = 8;

/** Updates of units, each a change, against a bare Worker that verifies the same token and runs one UPDATE. */
export const update: Measure = {
  name: 'update',
  async run(bench) {
    const ours = await bench.lindero();
    const names = unitNames(PROPERTIES);
    const token = await ours.token(PROPERTIES);
    const bare = await bench.bare('bare-update', { ISSUER: ours.origin, PUBLIC_KEY: (await bench.keys()).public });
    const units = await bare.miniflare.getD1Database('DB');
    await units.exec(
      'CREATE TABLE bare_units (name TEXT PRIMARY KEY, status INTEGER NOT NULL, price REAL NOT NULL, directions TEXT NOT NULL) STRICT',
    );
    await units.batch(names.map((name) => units.prepare("INSERT INTO bare_units VALUES (?1, 1, 0, '[]')").bind(name)));

    const requests = bench.options.quick ? REQUESTS / 4 : REQUESTS;
    const rate = async (server: Server, token: string): Promise<Sample> => {
      const { milliseconds, processor } = await bench.load.run(server, {
        method: 'POST',
        paths: [updatePath],
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        bodies: Array.from({ length: requests }, (_, index) => updateOf(names[index % names.length]!)),
        connections: CONNECTIONS,
        requests,
        status: 200,
      });
      return { figure: (requests * 1000) / milliseconds, processor };
    };
    const samples = await alternate(bench.options.rounds, {
      ours: () => rate(ours, token),
      bare: () => rate(bare, token),
    });
    const about = {
      measure: 'update',
      what: `update-by-name, account ${accountCode(PROPERTIES)}`,
      unit: '/s',
    } as const;
    const rows = [
      compare(
        { ...about, against: 'bare token check and UPDATE', target: { atLeast: 0.7 } },
        samples.ours,
        samples.bare,
      ),
    ];
    return rows;
  },
};
