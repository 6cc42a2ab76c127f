/** What access tokens can permit, by scope. */
export const SCOPE_MEANINGS = {
  'units:write': 'Updating units',
  'units:read': 'Reading developments and units',
  'properties:write':
    'Creating, changing and removing properties and developments; importing files, and managing sources',
  'properties:read': 'Reading properties and what has changed',
  'feeds:read': 'Reading the report on the account’s properties',
  'readers:write': 'Managing readers',
  'readers:read': 'Reading readers and what they were given',
  'webhooks:write': 'Managing webhooks',
  'webhooks:read': 'Reading webhooks and their calls',
} as const;

export type Scope = keyof typeof SCOPE_MEANINGS;

export const SCOPES = Object.keys(SCOPE_MEANINGS) as readonly Scope[];

/** The scopes of a client that is created without any: those that an integrator needs to update units. */
export const DEFAULT_SCOPES: readonly Scope[] = ['units:write', 'units:read'];
