import { app } from './app.ts';
import type { Env } from './env.ts';
import { discardBody } from './lib/body.ts';

/** The hourly one of the two triggers in `wrangler.toml`. */
const HOURLY = '37 * * * *';

export default {
  async fetch(request, env, context) {
    const response = await app.fetch(request, env, context);
    await discardBody(request);
    return response;
  },
  scheduled: ({ cron }, env) => (cron === HOURLY ? app.hourly(env) : app.scheduled(env)),
} satisfies ExportedHandler<Env>;
