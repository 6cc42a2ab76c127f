/** The scopes of access tokens: updating units, reading them, and reading the report on feeds. */
export const SCOPES = ['units:write', 'units:read', 'feeds:read'] as const;

/** The scopes of a client for which none are named: those of integrators, who update units. */
export const DEFAULT_SCOPES: readonly Scope[] = ['units:write', 'units:read'];

export type Scope = (typeof SCOPES)[number];
