import type { Env } from '../../../src/env.ts';
import worker from '../../../src/worker.ts';
import { here } from '../platform/here.ts';
import { Invocation } from '../platform/invocation.ts';

/** The Worker within the limits of the deployed platform: what `exports.default` of a test is. */
export default {
  fetch(request, env, context) {
    const invocation = new Invocation(here);
    return invocation.run(() => worker.fetch(request, invocation.bindings(env), context));
  },
  scheduled(event, env) {
    const invocation = new Invocation(here);
    return invocation.run(() => worker.scheduled(event, invocation.bindings(env)));
  },
  queue(batch, env) {
    const invocation = new Invocation(here);
    return invocation.run(() => worker.queue(batch, invocation.bindings(env)));
  },
} satisfies ExportedHandler<Env>;
