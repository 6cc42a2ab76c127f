import type { Bench } from '../bench.ts';
import { unitNames } from '../data/portfolio.ts';
import type { Server } from '../load/client.ts';
import { alternate, type Measure } from '../report.ts';
import { updateOf, updatePath } from '../servers/lindero.ts';

const PROPERTIES = 1_000;
const REQUESTS = 800;

/** Updates of units, each a change, against a bare Worker that verifies the same token, asks the limiter and runs one UPDATE. */
export const update: Measure<Bench> = {
  name: 'update',
  async run(bench) {
    const { options, load } = bench;
    const ours = await bench.lindero();
    const names = unitNames(PROPERTIES);
    const authorization = `Bearer ${await ours.token(PROPERTIES)}`;
    const bindings = { ISSUER: ours.origin, PUBLIC_KEY: (await bench.keys()).public };
    const bare = await bench.bare('bare-update', { bindings });
    const units = await bare.miniflare.getD1Database('DB');
    await units.exec(
      'CREATE TABLE bare_units (name TEXT PRIMARY KEY, status INTEGER NOT NULL, price REAL NOT NULL, directions TEXT NOT NULL) STRICT',
    );
    await units.batch(
      names.map((name) =>
        units.prepare("INSERT INTO bare_units VALUES (?1, 1, 0, '[]')").bind(name),
      ),
    );
    const requests = options.quick ? REQUESTS / 4 : REQUESTS;
    const rate = (server: Server) =>
      load.rate(server, {
        method: 'POST',
        paths: [updatePath],
        headers: { authorization, 'content-type': 'application/json' },
        bodies: Array.from({ length: requests }, (_, index) =>
          updateOf(names[index % names.length]!),
        ),
        connections: 8,
        requests,
        status: 200,
      });
    const samples = await alternate(options.rounds, {
      ours: () => rate(ours),
      bare: () => rate(bare),
    });
    const what = 'update-by-name, 1,000 properties';
    const against = 'bare token check, limiter and UPDATE';
    const floor = { atLeast: 0.7 };
    return [
      {
        measure: 'update',
        what,
        unit: '/s',
        against,
        floor,
        ours: samples.ours,
        other: samples.bare,
      },
    ];
  },
};
