import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { earlierPortfolio } from '../../demo/life/earlier.ts';
import { beginning } from '../../demo/life/moments.ts';
import { pictureOrigin, recent, withPicturesAt } from '../../demo/recent.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { Failure } from '../command/failure.ts';
import type { ServiceClient } from '../service/client.ts';

const FILES = { DEMO: 'demo.ndjson', OTHER: 'other.ndjson' } as const;

/**
 * Creates the demo agencies that are missing in the service on this machine, imports their
 * portfolios unless that has been done, and has what happened before that written. Their pictures
 * are where the service is: if that has changed since, they are moved.
 *
 * @param tell called with a line for each agency that is created
 */
export async function createDemo(
  directory: string,
  now: EpochSeconds,
  client: ServiceClient,
  tell: (line: string) => void,
): Promise<void> {
  const { origin } = client.service;
  const { created } = await client.post('/v1/operator/demo');
  const bring = async (code: keyof typeof FILES) => {
    const own = client.on(code);
    await endLeftBehind(own);
    if (created.includes(code) || !(await isComplete(own))) {
      const file = await readFile(join(directory, 'src/demo', FILES[code]), 'utf8');
      await imported(own, withPicturesAt(IMPORTED[code](file, now), origin));
      return tell(`Created demo account ${code}.`);
    }
    const { properties } = await own.get('/v1/properties?limit=1');
    const at = pictureOrigin(JSON.stringify(properties));
    if (at === undefined || at === origin) return;
    const file = await (await own.open('GET', '/v1/export')).text();
    await imported(own, withPicturesAt(file, origin));
  };
  const bringDemo = async () => {
    await bring('DEMO');
    await client.post('/v1/operator/demo/events');
  };
  await Promise.all([bringDemo(), bring('OTHER')]);
}

/** What is imported of the files: of DEMO, what it was before events that lead to what the file says. */
const IMPORTED = {
  DEMO: (file: string, now: EpochSeconds) => recent(earlierPortfolio(file), beginning(now)),
  OTHER: recent,
} as const;

/** Whether its portfolio has been imported: `npm start` may have ended before, or while that was under way. */
async function isComplete(client: ServiceClient): Promise<boolean> {
  const { properties } = await client.get('/v1/properties?limit=1');
  const { imports }: { imports: { readonly state: string }[] } =
    await client.get('/v1/imports?limit=500');
  return (
    properties.length > 0 &&
    (imports.length === 0 || imports.some(({ state }) => state === 'finished'))
  );
}

/**
 * Cancels the unfinished imports of an `npm start` that was killed. A local queue is in memory and periodic tasks do not run locally,
 * so nothing would continue them. The portfolio is imported again.
 */
async function endLeftBehind(client: ServiceClient): Promise<void> {
  const { imports }: { imports: { readonly id: number; readonly state: string }[] } =
    await client.get('/v1/imports?limit=500');
  const left = imports.filter((one) => !isOver(one));
  for (const { id } of left)
    await client.post(`/v1/imports/${id}/cancel`).catch((error) => {
      // It has ended since it was listed.
      if (!(error instanceof Failure && error.code === 'wrong_state')) throw error;
    });
}

const isOver = ({ state }: { readonly state: string }) =>
  !['receiving', 'fetching', 'validating', 'applying'].includes(state);

async function imported(client: ServiceClient, file: string): Promise<void> {
  const stream = new Blob([file]).stream();
  const { id } = await client.post('/v1/imports?format=ndjson', {
    stream,
    type: 'application/x-ndjson',
  });
  const ended = await client.watch(`/v1/imports/${id}`, isOver, () => {});
  if (ended.state !== 'finished')
    throw new Error(`The demo was not imported: ${ended.error?.detail ?? ended.state}`);
}
