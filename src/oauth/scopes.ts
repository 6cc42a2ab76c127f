/** The scopes of access tokens: updating and reading units, reading properties, reading the report on feeds, managing and reading readers. */
export const SCOPES = [
  'units:write',
  'units:read',
  'properties:read',
  'feeds:read',
  'readers:write',
  'readers:read',
] as const;

/** The scopes of a client for which none are named: those of integrators, who update units. */
export const DEFAULT_SCOPES: readonly Scope[] = ['units:write', 'units:read'];

export type Scope = (typeof SCOPES)[number];
