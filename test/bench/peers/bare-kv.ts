/** A Worker that returns the KV value whose key is its path, as a stream, and does nothing else. */
export default {
  async fetch(request: Request, env: { SNAPSHOTS: KVNamespace }): Promise<Response> {
    const key = decodeURIComponent(new URL(request.url).pathname.slice(1));
    return new Response(await env.SNAPSHOTS.get(key, 'stream'), {
      headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Content-Encoding': 'gzip' },
      encodeBody: 'manual',
    });
  },
};
