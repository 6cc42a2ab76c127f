/** What the platform gives the Worker: bindings, and settings as text. `wrangler.toml` declares the bindings. */
export interface Env {
  /** The source of truth: accounts, properties, units, and which snapshots are cached. */
  readonly DB: D1Database;
  /** Snapshots: cached parts of feeds, each under a key that determines its bytes; any entry may be lost at any time. */
  readonly SNAPSHOTS: KVNamespace;
  /** The files that a build writes to be served as they are; never asked for a feed. */
  readonly ASSETS: Fetcher;
  /** Limits checks of unverified credentials, per account or client and address. */
  readonly CREDENTIAL_CHECKS: RateLimit;
  /** Limits failed checks, per address. */
  readonly ADDRESS_CHECKS: RateLimit;
  /** Limits the tokens issued per client. */
  readonly TOKENS: RateLimit;
  /** Limits the transactions of unit updates per client. */
  readonly UPDATES: RateLimit;
  /** Counts requests, if bound: src/README.md describes the columns. */
  readonly METRICS?: AnalyticsEngineDataset;
  /** Entries in the history of a unit; about 100 unless set. */
  readonly UNIT_HISTORY_ENTRIES?: string;
  /** Days after which entries in the history of units are deleted; 1,095 unless set. */
  readonly UNIT_HISTORY_DAYS?: string;
  /** Secret. The JWK set of ES256 keys of access tokens: the first, a private one, signs; the others still verify. */
  readonly SIGNING_KEYS?: string;
  /** Secret. Signs the console's sessions: at least 32 characters, without which the console is not served. */
  readonly SESSION_KEY?: string;
  /** The service's public origin: issuer and audience of its own tokens; by default, the origin of each request. */
  readonly PUBLIC_ORIGIN?: string;
  /** Another issuer's identifier; if set, the built-in token endpoint does not exist. */
  readonly TOKEN_ISSUER?: string;
  /** The audience that the other issuer's tokens are for. */
  readonly TOKEN_AUDIENCE?: string;
  /** Where the other issuer publishes its keys. */
  readonly TOKEN_JWKS_URL?: string;
  /** The claim of the other issuer's tokens that names the account; `account` unless set. */
  readonly TOKEN_ACCOUNT_CLAIM?: string;
}

/** What Hono hands to every handler. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    /** Names the request in the log, once there is something to log. */
    requestId: string | undefined;
    /** Milliseconds that the steps so far have taken. */
    steps?: Readonly<Record<string, number>>;
    /** Who sent the request, once that is verified. */
    caller?: { readonly accountId: number; readonly clientId: string };
    /** The code of the account whose password was sent, right or wrong. */
    account?: string;
  };
}

declare global {
  namespace Cloudflare {
    interface Env extends EnvOfTheWorker {}
  }
}

type EnvOfTheWorker = Env;
