import type { IncomingMessage } from 'node:http';

/** Shorter secrets occur in other texts by chance, so they are searched for only in the forms in which requests send them. */
const MIN_PLAIN_LENGTH = 8;

/** Searches responses for secrets that were sent. */
export class SecretScanner {
  /** The texts that must not occur in a response. */
  readonly #forms: readonly Buffer[];
  readonly #found = new Set<string>();
  #responses = 0;

  /** @param secrets each with the user names that it is sent with */
  constructor(secrets: readonly { readonly secret: string; readonly user: string }[]) {
    this.#forms = secrets.flatMap(({ secret, user }) => formsOf(secret, user)).map((form) => Buffer.from(form));
  }

  /** How many responses have been searched. */
  get responses(): number {
    return this.#responses;
  }

  /** The paths, without their queries, whose responses contain a secret. */
  get found(): readonly string[] {
    return [...this.#found];
  }

  /**
   * Searches the headers of a response.
   *
   * @returns searches a piece of its body, decompressed; to be called with each in turn
   */
  scan(path: string, headers: IncomingMessage['headers']): (chunk: Buffer) => void {
    this.#responses += 1;
    this.#search(path, Buffer.from(JSON.stringify(headers)));
    const overlap = Math.max(...this.#forms.map(({ length }) => length)) - 1;
    let end: Buffer = Buffer.alloc(0);
    return (chunk) => {
      const text = Buffer.concat([end, chunk]);
      this.#search(path, text);
      end = text.subarray(-overlap);
    };
  }

  #search(path: string, text: Buffer): void {
    if (this.#forms.some((form) => text.includes(form))) this.#found.add(path.split('?')[0]!);
  }
}

function formsOf(secret: string, user: string): string[] {
  const encoded = encodeURIComponent(secret);
  const forms = [`P=${encoded}`, `P%3D${encoded}`, Buffer.from(`${user}:${secret}`).toString('base64')];
  return secret.length < MIN_PLAIN_LENGTH ? forms : [...forms, secret, encoded];
}
