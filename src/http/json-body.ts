import type { Context } from 'hono';
import { BodyError, isEncoded, readBody } from '../lib/body.ts';
import { JsonError, parseJson } from '../lib/json.ts';
import { mediaType } from '../lib/media-type.ts';
import { problemResponse } from '../problem.ts';

const KIBIBYTE = 1024;

/** The value of a JSON body, or an error response. */
export async function readJson(c: Context, maxBytes: number): Promise<unknown> {
  if (mediaType(c.req.header('Content-Type')) !== 'application/json') {
    return unsupported('The body must be application/json.');
  }
  if (isEncoded(c.req.raw)) return unsupported('The body must have no Content-Encoding.');
  try {
    return parseJson(await readBody(c.req.raw, maxBytes));
  } catch (error) {
    if (error instanceof JsonError) return notJson(error.message);
    if (!(error instanceof BodyError)) throw error;
    if (error.reason === 'incomplete') return notJson('The body is incomplete.');
    return problemResponse({ code: 'body_too_large', detail: `The maximum is ${maxBytes / KIBIBYTE} KiB.` });
  }
}

function notJson(detail: string): Response {
  return problemResponse({ code: 'not_json', detail });
}

function unsupported(detail: string): Response {
  return problemResponse({ code: 'unsupported_media_type', detail });
}
