import { app } from './app.ts';
import type { Env } from './env.ts';
import { discardBody } from './lib/body.ts';

export default {
  async fetch(request, env, context) {
    const response = await app.fetch(request, env, context);
    await discardBody(request);
    return response;
  },
  scheduled: (_event, env) => app.scheduled(env),
} satisfies ExportedHandler<Env>;
