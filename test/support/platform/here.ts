import { now } from './clock.ts';
import { KvNetwork } from './kv-consistency.ts';

/** All locations of the simulated platform. */
export const network = new KvNetwork(now);

/** The location at which the Worker under test runs. */
export const here = network.location();
