/** A Worker that returns a KV value, and does nothing else: `/stream/<key>` or `/buffer/<key>`. */
export default {
  async fetch(request: Request, env: { SNAPSHOTS: KVNamespace }): Promise<Response> {
    const [, how, name] = new URL(request.url).pathname.split('/');
    const key = decodeURIComponent(name!);
    const value =
      how === 'stream' ? await env.SNAPSHOTS.get(key, 'stream') : await env.SNAPSHOTS.get(key, 'arrayBuffer');
    return new Response(value, {
      headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Content-Encoding': 'gzip' },
      encodeBody: 'manual',
    });
  },
};
