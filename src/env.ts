import type { Context } from 'hono';

/**
 * What the platform gives the Worker: the bindings that `wrangler.toml` declares (`bindings.d.ts`, written by
 * `npm run bindings`), and the settings below.
 */
export type Env = Cloudflare.Env;

declare global {
  namespace Cloudflare {
    interface Env extends Settings {}
  }
}

/** Settings: each is a string, and all are optional. */
interface Settings {
  /** Set by the service itself: the name of the binding that `DB` stands for, unless that is the first database. */
  readonly DATABASE?: string;
  /** Entries in the history of a unit; about 100 unless set. */
  readonly UNIT_HISTORY_ENTRIES?: string;
  /** Days after which entries in the history of units are deleted; 1,095 unless set. */
  readonly UNIT_HISTORY_DAYS?: string;
  /** Secret. The JWK set of ES256 keys of access tokens: the first, a private one, signs; the others still verify. */
  readonly SIGNING_KEYS?: string;
  /** Secret. Signs the console's sessions: at least 32 characters, without which the console is not served. */
  readonly SESSION_KEY?: string;
  /** Secret. The operator's key, at least 32 characters: without it, the operator's routes do not exist. */
  readonly OPERATOR_KEY?: string;
  /** Secret. The operator's former key, which is accepted as well while it is replaced. */
  readonly OPERATOR_KEY_OLD?: string;
  /** Secret. Encrypts the secrets of webhooks and sources in the database: at least 32 characters. */
  readonly SEALING_KEY?: string;
  /** `allowed` if webhooks and sources may have http URLs and local addresses; in development they always may. */
  readonly LOCAL_ADDRESSES?: string;
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
    /** Names the request in the log. */
    requestId: string;
    /** What serves the request; nothing does if it is absent. */
    interface?: InterfaceName;
    /** The format of errors. */
    errorFormat?: ErrorFormat;
    /** Milliseconds that the steps so far have taken. */
    steps?: Readonly<Record<string, number>>;
    /** Who sent the request, once that is verified. */
    caller?: {
      readonly accountId: number;
      readonly clientId: string;
      readonly isOperator?: boolean;
    };
    /** The code of the account whose password was sent, right or wrong. */
    account?: string;
  };
}

/** What serves a request, as log lines and metrics name it. */
export type InterfaceName =
  | 'feed'
  | 'oauth'
  | 'units'
  | 'properties'
  | 'changes'
  | 'readers'
  | 'deliveries'
  | 'report'
  | 'imports'
  | 'pictures'
  | 'webhooks'
  | 'operator'
  | 'console'
  | 'docs'
  | 'health'
  | 'other';

/** How an interface responds if its handlers do not; problem documents unless stated. */
export interface ErrorFormat {
  /** A dependency fails. */
  readonly unavailable?: (headers: Record<string, string>) => Response;
  readonly internal?: (detail: string, headers: Record<string, string>) => Response;
  readonly methodNotAllowed?: (c: Context<AppEnv>, allow: string) => Response;
}
