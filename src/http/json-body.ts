import type { Context } from 'hono';
import { BodyError, isEncoded, readBody } from '../lib/http/body.ts';
import { JsonError, parseJson } from '../lib/http/json.ts';
import { mediaType } from '../lib/http/media-type.ts';
import { ProblemError } from '../problem.ts';

const KIBIBYTE = 1024;

/**
 * The value of a JSON body.
 *
 * @throws ProblemError if it has another media type or a content coding, is too large, incomplete, or not JSON
 */
export async function readJson(c: Context, maxBytes: number): Promise<unknown> {
  const type = mediaType(c.req.header('Content-Type'));
  const isMergePatch = c.req.method === 'PATCH' && type === 'application/merge-patch+json';
  if (type !== 'application/json' && !isMergePatch) throw unsupported('The body must be application/json.');
  if (isEncoded(c.req.raw)) throw unsupported('The body must have no Content-Encoding.');
  try {
    return parseJson(await readBody(c.req.raw, maxBytes));
  } catch (error) {
    if (error instanceof JsonError) throw notJson(error.message);
    if (!(error instanceof BodyError)) throw error;
    if (error.reason === 'incomplete') throw notJson('The body is incomplete.');
    throw new ProblemError({ code: 'body_too_large', detail: `The maximum is ${maxBytes / KIBIBYTE} KiB.` });
  }
}

function notJson(detail: string): ProblemError {
  return new ProblemError({ code: 'not_json', detail });
}

function unsupported(detail: string): ProblemError {
  return new ProblemError({ code: 'unsupported_media_type', detail });
}
