import SCOPE_MEANINGS from './scopes.json' with { type: 'json' };

/** What access tokens can permit, by scope. */
export { SCOPE_MEANINGS };

export type Scope = keyof typeof SCOPE_MEANINGS;

export const SCOPES = Object.keys(SCOPE_MEANINGS) as readonly Scope[];

/** The scopes of a client that is created without any: those that an integrator needs to update units. */
export const DEFAULT_SCOPES: readonly Scope[] = ['units:write', 'units:read'];
