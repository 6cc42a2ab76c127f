/** What a token may be for: to update units, and to read them back. */
export const SCOPES = ['units:write', 'units:read'] as const;

export type Scope = (typeof SCOPES)[number];
