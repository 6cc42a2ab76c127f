import * as z from 'zod';
import { named, namedObject, namedStrictObject } from '../api/schemas.ts';
import { byId as byProperty, picture } from '../properties/api/schemas.ts';
import { PICTURE_KINDS, pictures } from '../properties/pictures.ts';
import { DIGEST_LENGTH } from './names.ts';
import { REFUSALS } from './refused.ts';

export const byId = byProperty;

export const byDigest = byProperty.extend({
  digest: z.string().min(1).meta({
    description: 'The digest in the picture’s address.',
    example: '5f1d7e2a9c3b48d6a0e7f4c1b2d3e4f5',
    maxLength: DIGEST_LENGTH,
  }),
});

export const kindQuery = z.object({
  kind: z.enum(PICTURE_KINDS).default('photo').describe('What the pictures show.'),
});

export const file = named('PictureFile', z.string().meta({ format: 'binary' }));

export const form = named(
  'PictureForm',
  z
    .object({ file: z.array(z.string().meta({ format: 'binary' })) })
    .describe('Each part with the name of a file is a picture, whatever it is called.'),
);

export const list = namedObject('Pictures', {
  pictures: z.array(picture).describe('In the order of display.'),
});

export const copying = namedObject('PicturesToCopy', {
  pictures: z
    .array(picture)
    .describe('Those that are going to be copied: the ones of the property that are elsewhere.'),
});

export const order = namedStrictObject('PictureOrder', { pictures });

const refused = z.object({
  file: z.string().describe('As the form states it.'),
  code: z.enum(REFUSALS).describe('Why nothing of it is stored.'),
});

export const added = namedObject('PicturesAdded', {
  pictures: z.array(picture).describe('Those that were added, in the order of the files.'),
  refused: z.array(refused).describe('The files of a form that were not taken.'),
});
