import * as z from 'zod';
import { NOT_CACHED } from '../../api/headers.ts';
import { clientReads, content, errors } from '../../api/responses.ts';
import { createRoute, Router } from '../../api/router.ts';
import { named } from '../../api/schemas.ts';
import { closingLine, OPENING_LINE } from '../../imports/formats/ndjson/source.ts';
import { describeError, log } from '../../lib/log.ts';
import { withScope } from '../../oauth/bearer.ts';
import { serves } from '../../request-log.ts';
import { exportPortfolio } from '../store/export.ts';

/** Characters of a chunk: few enough for memory, and enough that chunks are few. */
const CHUNK = 256 * 1024;

const NDJSON = 'application/x-ndjson';

/** The whole portfolio of an account, in the form in which it can be imported again. */
export const exports = new Router();

exports.use('/v1/export/*', serves('imports'));

const exportRoute = createRoute({
  method: 'get',
  path: '/v1/export',
  operationId: 'exportPortfolio',
  tags: ['Imports'],
  summary: 'Export the portfolio',
  description:
    'Everything that an import reads, a JSON document on each line. The last line states the ' +
    'number of documents: without it, the file is incomplete. Imported into an empty account, ' +
    'it gives the same feeds.',
  ...withScope('properties:read'),
  responses: {
    200: content(
      NDJSON,
      named('Portfolio', z.string().meta({ format: 'binary' })),
      'The portfolio as NDJSON.',
    ),
    ...errors(clientReads('properties:read')),
  },
});

exports.openapi(exportRoute, (c) => {
  const chunks = chunksOf(c.env.DB, c.var.caller.accountId);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        log('error', 'export.failed', {
          requestId: c.var.requestId,
          error: describeError(error),
        });
        controller.error(new Error('The export was aborted'));
      }
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
  return new Response(body, { headers: { ...NOT_CACHED, 'Content-Type': NDJSON } });
});

async function* chunksOf(db: D1Database, accountId: number): AsyncGenerator<string, void> {
  let documents = 0;
  let chunk = OPENING_LINE;
  for await (const document of exportPortfolio(db, accountId)) {
    documents++;
    chunk += `${JSON.stringify(document)}\n`;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk + closingLine(documents);
}
