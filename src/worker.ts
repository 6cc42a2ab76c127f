import { app, housekeep } from './app.ts';
import type { Env } from './env.ts';
import { discardBody } from './lib/body.ts';

export default {
  async fetch(request, env, context) {
    const answer = await app.fetch(request, env, context);
    await discardBody(request);
    return answer;
  },
  scheduled: (_event, env) => housekeep(env),
} satisfies ExportedHandler<Env>;
