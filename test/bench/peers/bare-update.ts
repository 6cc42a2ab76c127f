import { importJWK, type JWK, jwtVerify } from 'jose';

interface Env {
  readonly DB: D1Database;
  readonly UPDATES: RateLimit;
  readonly PUBLIC_KEY: JWK;
  readonly ISSUER: string;
}

let key: ReturnType<typeof importJWK> | undefined;

/** A Worker that verifies an access token, asks the rate limiter and runs one UPDATE, and does nothing else. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    key ??= importJWK(env.PUBLIC_KEY, 'ES256');
    const token = request.headers.get('Authorization')!.slice('Bearer '.length);
    await jwtVerify(token, await key, {
      issuer: env.ISSUER,
      audience: env.ISSUER,
      algorithms: ['ES256'],
      typ: 'at+jwt',
    });
    const { UntName, UntStatus, UntPrice, UntDirections } =
      await request.json<Record<string, unknown>>();
    const { success } = await env.UPDATES.limit({ key: 'bench' });
    if (!success) return new Response(null, { status: 429 });
    const { meta } = await env.DB.prepare(
      'UPDATE bare_units SET status = ?2, price = ?3, directions = ?4 WHERE name = ?1',
    )
      .bind(UntName, UntStatus, UntPrice, JSON.stringify(UntDirections))
      .run();
    return Response.json({ changed: meta.changes });
  },
};
