import { demoAgencies, seedAgencies } from '../../../src/cli/setup/agencies.ts';
import demo from '../../../src/demo/demo.ndjson?raw';
import other from '../../../src/demo/other.ndjson?raw';
import { nowInSeconds } from '../../../src/lib/time/time.ts';

/** The demo agencies as `npm start` creates them today. */
export const [DEMO, OTHER] = demoAgencies({ DEMO: demo, OTHER: other }, nowInSeconds()) as [Agency, Agency];

type Agency = ReturnType<typeof demoAgencies>[number];

/** Creates them in a database that does not have them, and returns the codes of those created. */
export function seedDemo(db: D1Database): Promise<string[]> {
  return seedAgencies(db, [DEMO, OTHER]);
}
