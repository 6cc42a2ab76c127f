import { app, housekeep } from './app.ts';
import type { Env } from './env.ts';

export default {
  fetch: app.fetch,
  scheduled: (_event, env) => housekeep(env),
} satisfies ExportedHandler<Env>;
