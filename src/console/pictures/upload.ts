import { fieldText, MultipartError, readParts } from '../../lib/http/multipart.ts';
import { adding, changePictures, checkRoom, readPictures } from '../../pictures/change.ts';
import { PictureRefused } from '../../pictures/refused.ts';
import { takeIn } from '../../pictures/take-in.ts';
import { ProblemError } from '../../problem.ts';
import { recordDone } from '../define-page.tsx';
import { type Flash, type FlashMessage, leaveFlash } from '../flash.tsx';
import { notFoundPage, wantsPage } from '../pages.tsx';
import { picturesPath } from '../paths.ts';
import { textsOf } from '../texts/texts.ts';
import type { Page, Visitor } from '../visit.ts';
import { changingOf } from './page.tsx';

/** What became of the files of a form. */
interface Uploaded {
  readonly added: number;
  /** Why the others were not: sentences in the language of whoever has sent them. */
  readonly refused: readonly { readonly file: string; readonly why: string }[];
}

/** Files that are sent to the page of a property's pictures: the script of the page gets JSON, a form the page. */
export async function uploadPictures(visitor: Visitor): Promise<Page | Response> {
  const { c } = visitor;
  const id = c.req.query('id') ?? '';
  try {
    const uploaded = await takeAll(visitor, id);
    if (uploaded.added > 0) await recordDone(visitor, { did: 'property.changed', with: id });
    if (!wantsPage(c)) return c.json(uploaded, 200, { 'Cache-Control': 'no-store' });
    await leaveFlash(visitor, picturesPath(id), flashOf(uploaded));
    return c.redirect(picturesPath(id), 303);
  } catch (error) {
    if (error instanceof ProblemError && error.problem.code === 'property_not_found')
      return notFoundPage(visitor);
    throw error;
  }
}

async function takeAll(visitor: Visitor, id: string): Promise<Uploaded> {
  const { c, db, account } = visitor;
  const texts = textsOf(visitor, 'pictures');
  const origin = c.env.PUBLIC_ORIGIN || new URL(c.req.url).origin;
  const refused: { file: string; why: string }[] = [];
  let added = 0;
  let fileName = '';
  // The script states the size before each file, which then needs no buffer.
  let size: number | undefined;
  try {
    checkRoom(await readPictures(db, account.id, id));
    for await (const part of readParts(c.req.raw)) {
      if (part.name === 'size') size = sizeIn(await fieldText(part));
      fileName = part.fileName ?? '';
      if (fileName === '') continue;
      try {
        const taken = await takeIn(c.env, account, origin, part.chunks, size);
        await changePictures(c, changingOf(visitor, id), adding(taken, 'photo'));
        added++;
      } catch (error) {
        if (!(error instanceof PictureRefused)) throw error;
        refused.push({ file: fileName, why: texts.refused[error.reason] });
      }
    }
  } catch (error) {
    if (error instanceof MultipartError) refused.push({ file: fileName, why: texts.incomplete });
    else if (error instanceof ProblemError && error.problem.code === 'too_many_pictures')
      refused.push({ file: fileName, why: texts.full({ most: 1_000 }) });
    else throw error;
  }
  return { added, refused };
}

function sizeIn(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function flashOf({ added, refused }: Uploaded): Flash {
  const messages: FlashMessage[] = [];
  if (added > 0 || refused.length === 0)
    messages.push({ code: 'picturesAdded', values: { count: added } });
  for (const { file, why } of refused)
    messages.push({ code: 'pictureRefused', values: { file: file.slice(0, 100), why } });
  return { kind: refused.length === 0 ? 'good' : 'bad', messages };
}

/** The address of an upload that somebody opens, such as after signing in again. */
export async function toPictures({ c }: Visitor): Promise<Response> {
  return c.redirect(picturesPath(c.req.query('id') ?? ''), 303);
}
