/** The scopes of access tokens: updating units, reading them, and reading the report on feeds. */
export const SCOPES = ['units:write', 'units:read', 'feeds:read'] as const;

export type Scope = (typeof SCOPES)[number];
