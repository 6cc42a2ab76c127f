import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/**
 * A token issuer in its own process, which shares nothing with the service. It publishes RS256 keys on the loopback
 * interface, obeys its parent's messages, and replies to each.
 */
export type Order =
  | { readonly order: 'listen'; readonly port: number }
  /** Creates a key that signs from now on; the earlier ones stay published if `keep` is set. */
  | { readonly order: 'rotate'; readonly keep: boolean }
  | { readonly order: 'token'; readonly claims: Record<string, unknown> };

interface Key {
  readonly published: JWK;
  readonly privateKey: CryptoKey;
}

let keys: Key[] = [];

async function newKey(): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = crypto.randomUUID();
  return { published: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }, privateKey };
}

async function obey(message: Order): Promise<string> {
  switch (message.order) {
    case 'listen': {
      const server = createServer((_, response) => {
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify({ keys: keys.map(({ published }) => published) }));
      });
      await new Promise<void>((resolve) => server.listen(message.port, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
    }
    case 'rotate':
      keys = [await newKey(), ...(message.keep ? keys : [])];
      return keys[0]!.published.kid!;
    case 'token': {
      const [{ published, privateKey }] = keys as [Key];
      return new SignJWT(message.claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: published.kid! })
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey);
    }
  }
}

process.on('message', async (message: Order) => {
  process.send!(await obey(message));
});
