/** The scopes of access tokens: of units, properties, the report on feeds, readers and webhooks. */
export const SCOPES = [
  'units:write',
  'units:read',
  'properties:write',
  'properties:read',
  'feeds:read',
  'readers:write',
  'readers:read',
  'webhooks:write',
  'webhooks:read',
] as const;

/** The scopes of a client for which none are named: those of integrators, who update units. */
export const DEFAULT_SCOPES: readonly Scope[] = ['units:write', 'units:read'];

export type Scope = (typeof SCOPES)[number];
