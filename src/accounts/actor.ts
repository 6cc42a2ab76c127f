/** Who changes something: a person or the account's password in the console, a program, a source of imports, or the operator. */
export type Actor =
  | { readonly kind: 'person' | 'client' | 'source'; readonly name: string }
  | { readonly kind: 'account' | 'operator' };

/** Who changes which account. */
export interface Writer {
  readonly accountId: number;
  readonly actor: Actor;
  /** What is changed together, if that can be undone together. */
  readonly batch?: string;
}

/** The writer that the sender of a request with an access token is, or the operator. */
export function clientWriter({ accountId, clientId, isOperator }: Sender): Writer {
  return {
    accountId,
    actor: isOperator ? { kind: 'operator' } : { kind: 'client', name: clientId },
  };
}

interface Sender {
  readonly accountId: number;
  readonly clientId: string;
  readonly isOperator?: boolean;
}

/** An actor as it is stored: `person:Ana`, `client:crm`, `source:web`, `account`, `operator`. */
export function actorText(actor: Actor): string {
  return 'name' in actor ? `${actor.kind}:${actor.name}` : actor.kind;
}

/** The actor of a text of {@link actorText}. */
export function actorIn(text: string): Actor {
  const [kind, ...name] = text.split(':');
  switch (kind) {
    case 'person':
    case 'client':
    case 'source':
      return { kind, name: name.join(':') };
    case 'operator':
      return { kind };
    default:
      return { kind: 'account' };
  }
}

/** The `client_id` that the API shows for an actor. */
export function clientIdOf(actor: Actor): string {
  switch (actor.kind) {
    case 'client':
      return actor.name;
    case 'person':
      return `console:${actor.name}`;
    case 'source':
      return `source:${actor.name}`;
    case 'operator':
      return 'lindero';
    case 'account':
      return 'console';
  }
}
