import type { Env } from '../../../src/env.ts';
import { recentSnapshots } from '../../../src/feed/snapshots/store.ts';
import worker from '../../../src/worker.ts';
import { Invocation } from '../../support/platform/invocation.ts';
import { KvNetwork } from '../../support/platform/kv-consistency.ts';
import { noUsage, type Usage } from '../../support/platform/usage.ts';

/** The Worker, with a count of what its invocations use: `/usage` returns the count and begins a new one. */
const here = new KvNetwork(Date.now).location();
let invocations: Invocation[] = [];
let pending = 0;

export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === '/usage') return Response.json({ pending, usage: takeUsage() });
    const counted = counting(context);
    // Count what a new isolate needs: it has no snapshots in memory.
    recentSnapshots.clear();
    if (pathname === '/sweep') {
      await run((invocation) =>
        worker.scheduled(
          { scheduledTime: Date.UTC(2026, 0, 1, 3) } as ScheduledController,
          invocation.bindings(env),
        ),
      );
      return new Response('swept');
    }
    return run((invocation) => worker.fetch(request, invocation.bindings(env), counted));
  },
} satisfies ExportedHandler<Env>;

function run<Value>(code: (invocation: Invocation) => Value): Value {
  const invocation = new Invocation(here, true);
  invocations.push(invocation);
  return invocation.run(() => code(invocation));
}

/** A context that knows how many background tasks are pending. */
function counting(context: ExecutionContext): ExecutionContext {
  return {
    waitUntil(task: Promise<unknown>) {
      pending++;
      const done = () => {
        pending--;
      };
      context.waitUntil(task.then(done, done));
    },
    passThroughOnException: () => context.passThroughOnException(),
    props: context.props,
  } as ExecutionContext;
}

function takeUsage(): Usage {
  const total = noUsage();
  for (const { usage } of invocations) {
    for (const kind of Object.keys(total) as (keyof Usage)[]) total[kind] += usage[kind];
  }
  if (pending === 0) invocations = [];
  return total;
}
