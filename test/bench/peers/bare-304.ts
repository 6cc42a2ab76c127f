/** A Worker that answers 304 whatever is asked, and does nothing else. */
export default {
  fetch(): Response {
    return new Response(null, { status: 304, headers: { ETag: '"constant"' } });
  },
};
