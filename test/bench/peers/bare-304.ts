/** A Worker that answers every request with a 304. */
export default {
  fetch(): Response {
    return new Response(null, { status: 304, headers: { ETag: '"constant"' } });
  },
};
