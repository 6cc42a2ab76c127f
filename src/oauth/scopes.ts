/** The scopes of access tokens: updating units, and reading them. */
export const SCOPES = ['units:write', 'units:read'] as const;

export type Scope = (typeof SCOPES)[number];
