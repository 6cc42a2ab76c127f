import MEANINGS from './scopes.json' with { type: 'json' };

/** What an access token can permit. `scopes.json` has the meaning of each. */
export type Scope = keyof typeof MEANINGS;

export const SCOPES = Object.keys(MEANINGS) as readonly Scope[];

/** The scopes of a client that is created without any: those that an integrator needs to update units. */
export const DEFAULT_SCOPES: readonly Scope[] = ['units:write', 'units:read'];
