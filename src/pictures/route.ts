import type { Context } from 'hono';
import { findAccount } from '../accounts/accounts.ts';
import { clientWriter } from '../accounts/actor.ts';
import { NOT_CACHED, REVALIDATED } from '../api/headers.ts';
import { json, KIB, limitChanges, typesOf } from '../api/requests.ts';
import {
  body,
  clientChanges,
  clientReads,
  empty,
  error,
  errors,
  fields,
  missing,
  ok,
} from '../api/responses.ts';
import { createRoute, Router } from '../api/router.ts';
import { isEncoded } from '../lib/http/body.ts';
import { mediaType } from '../lib/http/media-type.ts';
import { MultipartError, readParts } from '../lib/http/multipart.ts';
import { nowInSeconds } from '../lib/time/time.ts';
import { inEnglish, message } from '../messages/messages.ts';
import { type CallerEnv, withScope } from '../oauth/bearer.ts';
import { existing, methodNotAllowed, notFound, ProblemError } from '../problem.ts';
import { type PictureEntry, pictureOf } from '../properties/pictures.ts';
import { serves } from '../request-log.ts';
import {
  adding,
  type Changing,
  changePictures,
  checkRoom,
  ordering,
  readPictures,
  removingDigest,
  TOO_MANY,
} from './change.ts';
import { copyElsewhere } from './copy.ts';
import * as examples from './examples.ts';
import { PictureRefused, type Refusal } from './refused.ts';
import * as schemas from './schemas.ts';
import { PICTURE_PATH, servePicture } from './serve.ts';
import { type Owner, takeIn } from './take-in.ts';

const PICTURES = '/v1/properties/{id}/pictures';

const MAX_BYTES = 2_048 * KIB;

const READ = { tags: ['Properties'], ...withScope('properties:read') };
const WRITE = { tags: ['Properties'], ...withScope('properties:write') };
const NO_PROPERTY = missing('property', 'R0');

/** The pictures of properties that the service takes in and serves itself. */
export const pictures = new Router();

pictures.use(`/v1/properties/:id/pictures/*`, serves('pictures'));
pictures.use('/pictures/*', serves('pictures'));
pictures.get(PICTURE_PATH, servePicture);

const A_FILE = { schema: schemas.file, examples: {} };

/** The handler reads it. */
const FILES = {
  required: true,
  'x-max-bytes': 0,
  content: {
    'image/jpeg': A_FILE,
    'image/png': A_FILE,
    'image/webp': A_FILE,
    'image/heic': A_FILE,
    'multipart/form-data': { schema: schemas.form, examples: {} },
  },
};

function detailOf(reason: Refusal): string {
  return inEnglish(message(reason));
}

const REFUSED = [
  error('picture_too_large', 'a file of more than 30 MB.', detailOf('picture_too_large')),
  error('picture_format', 'the file is no picture of these formats.', detailOf('picture_format')),
  error(
    'picture_not_jpeg',
    'the service runs without the Images binding, and takes only JPEG.',
    detailOf('picture_not_jpeg'),
  ),
  error(
    'picture_heic_not_read',
    'the file is a HEIC that is damaged, or that the Images binding has no decoder for.',
    detailOf('picture_heic_not_read'),
  ),
  error('picture_damaged', 'the file is truncated or damaged.', detailOf('picture_damaged')),
  error(
    'picture_too_many_pixels',
    'the picture has more than 100 megapixels, or 12,000 pixels a side.',
    detailOf('picture_too_many_pixels'),
  ),
];

const addPictures = createRoute({
  method: 'post',
  path: PICTURES,
  operationId: 'addPictures',
  summary: 'Add pictures to a property',
  description:
    'The body is a picture, or a form with several: JPEG, PNG, WebP or HEIC, each of at most 30 ' +
    'MB and 100 megapixels. Each is turned upright, freed of what it says of where and how it ' +
    'was taken, converted to a JPEG of at most 2560 pixels, and added at the end; of several ' +
    'requests at the same time, each adds its own. The file as it was sent is deleted after 30 ' +
    'days. A picture that the property has is not added twice, so a request can be repeated.',
  ...WRITE,
  request: { params: schemas.byId, query: schemas.kindQuery, body: FILES },
  responses: {
    201: ok(schemas.added, 'The pictures that were added.', {
      examples: { added: { pictures: [examples.PICTURE], refused: [] } },
    }),
    ...errors(
      clientChanges('properties:write'),
      NO_PROPERTY,
      error('bad_parameter', 'the form is incomplete.', 'The form is incomplete.'),
      error(
        'unsupported_media_type',
        'the body is no picture.',
        `The body must be ${typesOf(FILES.content)}.`,
      ),
      error('too_many_pictures', 'the property has 1,000 pictures.', TOO_MANY.detail),
      REFUSED,
    ),
  },
});

pictures.openapi(addPictures, async (c) => {
  const { id: property } = c.req.valid('param');
  const { kind } = c.req.valid('query');
  await limitChanges(c);
  if (isEncoded(c.req.raw)) {
    const detail = 'The body must have no Content-Encoding.';
    throw new ProblemError({ code: 'unsupported_media_type', detail });
  }
  checkRoom(await readPictures(c.env.DB, c.var.caller.accountId, property));
  const owner = await ownerOf(c);
  const origin = originOf(c);
  const added: PictureEntry[] = [];
  const refused: { file: string; code: Refusal }[] = [];
  for await (const { name, chunks, length } of filesIn(c.req.raw)) {
    try {
      const taken = await takeIn(c.env, owner, origin, chunks, length);
      const now = await changePictures(c, changing(c, property), adding(taken, kind));
      added.push(...now.filter((entry) => pictureOf(entry).url === taken.url));
    } catch (error) {
      if (!(error instanceof PictureRefused)) throw asProblem(error);
      refused.push({ file: name, code: error.reason });
    }
  }
  const [first] = refused;
  if (added.length === 0 && first !== undefined)
    throw new ProblemError({ code: first.code, detail: detailOf(first.code) });
  return c.json({ pictures: added.map(pictureOf), refused }, 201, NOT_CACHED);
});

/** The files of a body, each of which is read before the next. */
async function* filesIn(request: Request) {
  if (mediaType(request.headers.get('Content-Type') ?? '') === 'multipart/form-data') {
    try {
      for await (const { fileName, chunks } of readParts(request))
        if (fileName) yield { name: fileName.slice(0, 200), chunks, length: undefined };
    } catch (error) {
      throw asProblem(error);
    }
    return;
  }
  const stated = request.headers.get('Content-Length');
  const length = stated === null ? undefined : Number(stated);
  yield { name: '', chunks: chunksOf(request.body), length };
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    yield* body?.values({ preventCancel: true }) ?? [];
  } catch {
    throw new ProblemError({ code: 'bad_parameter', detail: 'The file is incomplete.' });
  }
}

function asProblem(error: unknown): unknown {
  if (!(error instanceof MultipartError)) return error;
  return new ProblemError({ code: 'bad_parameter', detail: 'The form is incomplete.' });
}

const listPictures = createRoute({
  method: 'get',
  path: PICTURES,
  operationId: 'listPictures',
  summary: 'List the pictures of a property',
  description: 'With what is known of each, also of those that are elsewhere.',
  ...READ,
  request: { params: schemas.byId },
  responses: {
    200: ok(schemas.list, 'The pictures.', {
      examples: { pictures: { pictures: [examples.PICTURE] } },
    }),
    ...errors(clientReads('properties:read'), NO_PROPERTY),
  },
});

pictures.openapi(listPictures, async (c) => {
  const { id } = c.req.valid('param');
  const found = await readPictures(c.env.DB, c.var.caller.accountId, id);
  return c.json({ pictures: found.map(pictureOf) }, 200, REVALIDATED);
});

const orderPictures = createRoute({
  method: 'put',
  path: PICTURES,
  operationId: 'orderPictures',
  summary: 'Order the pictures of a property',
  description:
    'Addresses of its pictures in the order of display, or objects whose `kind` they get. ' +
    'Pictures that are not mentioned follow, since they may have been added meanwhile.',
  ...WRITE,
  request: {
    params: schemas.byId,
    body: json(schemas.order, MAX_BYTES, {
      ordered: { pictures: [{ ...examples.PICTURE, kind: 'floor_plan' }] },
    }),
  },
  responses: {
    200: ok(schemas.list, 'The pictures as they are now.', {
      examples: { ordered: { pictures: [{ ...examples.PICTURE, kind: 'floor_plan' }] } },
    }),
    ...errors(
      clientChanges('properties:write'),
      NO_PROPERTY,
      missing('picture', examples.PICTURE.url),
      body(MAX_BYTES),
      fields({ '/pictures/0': message('not_string') }),
    ),
  },
});

pictures.openapi(orderPictures, async (c) => {
  const { id } = c.req.valid('param');
  const { pictures: entries } = c.req.valid('json');
  await limitChanges(c);
  const now = await changePictures(c, changing(c, id), ordering(entries));
  return c.json({ pictures: now.map(pictureOf) }, 200, NOT_CACHED);
});

const copyPictures = createRoute({
  method: 'post',
  path: `${PICTURES}/copy`,
  operationId: 'copyPictures',
  summary: 'Copy the pictures of a property that are elsewhere',
  description:
    'Each is fetched once, in the background and at most one a second from a host, and then ' +
    'served from here: its address changes, and `copied_from` says what it was. One that cannot ' +
    'be fetched or taken stays where it is. A request that is repeated changes nothing, except ' +
    'that those that could not be copied are tried again. Afterwards, what still is elsewhere ' +
    'could not be copied: its page in the console says why.',
  ...WRITE,
  request: { params: schemas.byId },
  responses: {
    202: ok(schemas.copying, 'They are going to be copied.', {
      examples: { copying: { pictures: [examples.ELSEWHERE] } },
    }),
    200: ok(schemas.copying, 'No picture is elsewhere.', { examples: { none: { pictures: [] } } }),
    ...errors(clientChanges('properties:write'), NO_PROPERTY),
  },
});

pictures.openapi(copyPictures, async (c) => {
  const { id: property } = c.req.valid('param');
  await limitChanges(c);
  const { actor } = clientWriter(c.var.caller);
  const origin = originOf(c);
  const elsewhere = await copyElsewhere(c.env, await ownerOf(c), { property, origin, actor });
  const status = elsewhere.length === 0 ? 200 : 202;
  return c.json({ pictures: elsewhere.map(pictureOf) }, status, NOT_CACHED);
});

// It is no digest.
pictures.on('ALL', '/v1/properties/:id/pictures/copy', () => methodNotAllowed('POST'));

const deletePicture = createRoute({
  method: 'delete',
  path: `${PICTURES}/{digest}`,
  operationId: 'deletePicture',
  summary: 'Remove a picture from a property',
  description:
    'Its address is served for another month. A picture that is elsewhere is removed by a PATCH ' +
    'of the property.',
  ...WRITE,
  request: { params: schemas.byDigest },
  responses: {
    204: empty('The property no longer has the picture.'),
    ...errors(
      clientChanges('properties:write'),
      NO_PROPERTY,
      missing('picture', '00000000000000000000000000000000'),
    ),
  },
});

pictures.openapi(deletePicture, async (c) => {
  const { id, digest } = c.req.valid('param');
  await limitChanges(c);
  const { code } = await ownerOf(c);
  await changePictures(c, changing(c, id), removingDigest(code, digest));
  return c.body(null, 204);
});

/** Of the addresses that pictures get. */
function originOf(c: Context<CallerEnv>): string {
  return c.env.PUBLIC_ORIGIN || new URL(c.req.url).origin;
}

/** @throws ProblemError if the account no longer exists, or is disabled */
async function ownerOf(c: Context<CallerEnv>): Promise<Owner> {
  const { accountId: id } = c.var.caller;
  return existing(await findAccount(c.env.DB, { id }), notFound('account', id));
}

function changing(c: Context<CallerEnv>, property: string): Changing {
  return { ...clientWriter(c.var.caller), property, now: nowInSeconds() };
}
