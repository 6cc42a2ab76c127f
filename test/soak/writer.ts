import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../support/random.ts';
import { type Agency, DEVELOPMENT } from './agency.ts';
import { send } from './send.ts';
import type { Tally } from './tally.ts';

/** What the writers share. */
export interface Writers {
  readonly origin: string;
  readonly tally: Tally;
  /** Average milliseconds between two updates of a writer. */
  readonly pause: number;
  isOver(): boolean;
}

/** Raises the price of a unit until it is over, and repeats what is not acknowledged. */
export async function write(writers: Writers, agency: Agency, name: string, random: Random): Promise<void> {
  const { tally } = writers;
  const timeline = agency.units.get(name)!;
  let token = await obtainToken(writers, agency);
  for (let price = timeline.highest; !writers.isOver(); await pause(random.next() * 2 * writers.pause)) {
    price++;
    timeline.send(price);
    while (!writers.isOver()) {
      const status = await update(writers, token, name, price).catch((error) => {
        if (!writers.isOver()) tally.fail(`POST: ${error}`);
        return 0;
      });
      if (status === 200) {
        timeline.acknowledge(price, performance.now());
        tally.count('updates');
        break;
      }
      if (status === 401) token = await obtainToken(writers, agency);
      else if (status === 503) tally.count('updates: 503, repeated');
      else if (!writers.isOver()) tally.fail(`POST: ${status}`);
      await pause(200);
    }
  }
}

async function update({ origin, tally }: Writers, token: string, UntName: string, UntPrice: number): Promise<number> {
  const init = {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ UntName, UntStatus: 1, UntPrice, UntDirections: [['S', 'SE']] }),
  };
  const response = await send(`${origin}/v1/developments/${DEVELOPMENT}/units/update-by-name`, init, tally);
  await response.arrayBuffer();
  return response.status;
}

async function obtainToken({ origin, tally }: Writers, { clientId, secret }: Agency): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret });
  const response = await send(`${origin}/oauth/token`, { method: 'POST', body }, tally);
  return ((await response.json()) as { access_token: string }).access_token;
}
