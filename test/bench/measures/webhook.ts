import { request } from 'undici';
import { findAccountId } from '../../../src/accounts/accounts.ts';
import { newWebhookSecret, sealingContext } from '../../../src/changes/webhooks/call.ts';
import { putWebhook } from '../../../src/changes/webhooks/webhooks.ts';
import { seal } from '../../../src/lib/secrets/sealed.ts';
import { listen } from '../../support/network/listen.ts';
import { type Bench, SEALING_KEY } from '../bench.ts';
import { accountCode } from '../data/accounts.ts';
import { unitNames } from '../data/portfolio.ts';
import type { Measure, Sample } from '../report.ts';
import { updateOf, updatePath } from '../servers/lindero.ts';

const PROPERTIES = 1_000;

/** The time from an update of a unit to the call that a webhook receives: the queue waits a second for further changes. */
export const webhook: Measure<Bench> = {
  name: 'webhook',
  async run(bench) {
    const ours = await bench.lindero();
    let received = () => {};
    const server = await listen((_, response) => {
      response.writeHead(204).end();
      received();
    });
    try {
      const address = {
        accountId: (await findAccountId(ours.db, accountCode(PROPERTIES)))!,
        name: 'bench',
      };
      const url = `${server.origin}/`;
      const secret = await seal(newWebhookSecret(), SEALING_KEY, sealingContext(address));
      await putWebhook(
        ours.db,
        address,
        { url, events: ['unit.changed'], enabled: true },
        ours.origin,
        secret,
      );
      const token = await ours.token(PROPERTIES);
      const samples: Sample[] = [];
      for (let round = 0; round < bench.options.rounds; round++) {
        const call = new Promise<void>((done) => {
          received = done;
        });
        const startedAt = performance.now();
        const answer = await request(ours.origin + updatePath, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: updateOf(unitNames(PROPERTIES)[0]!),
        });
        await answer.body.dump();
        await call;
        samples.push({ figure: performance.now() - startedAt, processor: null });
      }
      const what = 'from a unit update to the received call';
      return [
        {
          measure: 'webhook',
          what,
          unit: 'ms',
          against: '',
          floor: { atMost: 2_000 },
          ours: samples,
          other: [],
        },
      ];
    } finally {
      await server.stop();
    }
  },
};
