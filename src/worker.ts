import { app } from './app.ts';
import type { Env } from './env.ts';
import { drainBody } from './lib/http/body.ts';

export default {
  async fetch(request, env, context) {
    const response = await app.fetch(request, env, context);
    await drainBody(request, context);
    return response;
  },
  scheduled: (_, env) => app.scheduled(env),
  queue: (batch, env) => app.tasks(batch, env),
} satisfies ExportedHandler<Env>;
