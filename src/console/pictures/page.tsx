import {
  addingAddresses,
  type Changing,
  changePictures,
  kindOf,
  moving,
  ordering,
  removing,
  restoring,
} from '../../pictures/change.ts';
import { type Copying, listCopies } from '../../pictures/copies.ts';
import { copyElsewhere } from '../../pictures/copy.ts';
import { hostOf } from '../../pictures/host-pace.ts';
import { digestIn } from '../../pictures/names.ts';
import { imagesOf } from '../../pictures/transform.ts';
import { ProblemError } from '../../problem.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import {
  addressOf,
  MAX_PICTURES,
  PICTURE_KINDS,
  type Picture,
  type PictureEntry,
  pictureOf,
  pictures as picturesSchema,
  thumbnailOf,
} from '../../properties/pictures.ts';
import { type Action, definePage } from '../define-page.tsx';
import type { FlashMessage } from '../flash.tsx';
import { formatList } from '../format.ts';
import { Hidden, Input } from '../frame/form.tsx';
import { Icon, type IconName } from '../frame/icon.tsx';
import { Button, ButtonLink, Card } from '../frame/parts.tsx';
import { picturesPath, propertyPath, withQuery } from '../paths.ts';
import { loadProperty } from '../properties/property.ts';
import { inWords, textsOf } from '../texts/texts.ts';
import { actorOf, type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { findPictures, type PictureFinding } from './findings.ts';

/** Where files are sent to: the page itself takes its other forms. */
function uploadPath(id: string): string {
  return withQuery('/property/pictures/upload', { id });
}

/** Who changes the pictures of a property. */
export function changingOf(visitor: Visitor, property: string): Changing {
  const { account, now } = visitor;
  return { accountId: account.id, actor: actorOf(visitor), property, now };
}

/** The photographs of a property: adding, ordering and removing them. Every change is saved at once. */
export const propertyPictures = definePage<PropertyDocument>({
  find: async (visitor) =>
    (await loadProperty(visitor, visitor.c.req.query('id') ?? ''))?.document ?? null,
  show: showPictures,
  actions: {
    // A choice of a kind sends its form without a button.
    save: changed((fields) => kindOf(fields.get('picture') ?? '', kindIn(fields))),
    forward: changed((fields) => moving(fields.get('picture') ?? '', -1)),
    back: changed((fields) => moving(fields.get('picture') ?? '', 1)),
    order: changed((fields) => ordering(fields.getAll('order'))),
    remove: async (visitor, { id, pictures }, fields) => {
      const address = fields.get('picture') ?? '';
      const place = pictures.findIndex((entry) => addressOf(entry) === address);
      const change = removing((other) => other === address, address);
      const refused = await applied(visitor, id, change);
      if (refused !== null) return refused;
      const undo = {
        path: picturesPath(id),
        does: 'restore',
        fields: { entry: JSON.stringify(pictures[place]), place: String(place) },
      };
      const messages: FlashMessage[] = [{ code: 'pictureDeleted', values: { place: place + 1 } }];
      return { ...doneWith(id), flash: { messages, undo } };
    },
    restore: async (visitor, { id }, fields) => {
      const entry = entryIn(fields.get('entry') ?? '');
      if (entry === null) return null;
      return (
        (await applied(visitor, id, restoring(entry, Number(fields.get('place'))))) ?? doneWith(id)
      );
    },
    copy: async (visitor, { id }) => {
      const { c, account } = visitor;
      const origin = c.env.PUBLIC_ORIGIN || new URL(c.req.url).origin;
      const copies = { property: id, origin, actor: actorOf(visitor) };
      const { length: count } = await copyElsewhere(c.env, account, copies);
      const messages = [{ code: 'picturesCopying', values: { count } }] as const;
      return { ...doneWith(id), flash: { messages } };
    },
    add: async (visitor, { id }, fields) => {
      const texts = textsOf(visitor, 'pictures');
      const addresses = (fields.get('addresses') ?? '').split(/\s+/).filter(Boolean);
      const isGood = (address: string) => /^https?:\/\//i.test(address) && URL.canParse(address);
      if (addresses.length === 0 || !addresses.every(isGood))
        return { errors: { addresses: texts.addressInvalid } };
      const refused = await applied(visitor, id, addingAddresses(addresses));
      if (refused !== null) return refused;
      const messages = [{ code: 'picturesAdded', values: { count: addresses.length } }] as const;
      return { ...doneWith(id), flash: { messages } };
    },
  },
});

type Change = Parameters<typeof changePictures>[2];

/** What is recorded of a change, and the page that it leads to. */
function doneWith(id: string) {
  return { did: 'property.changed', with: id, next: picturesPath(id) };
}

/** Why a change cannot be made; `null` once it is. */
async function applied(visitor: Visitor, id: string, change: Change) {
  try {
    await changePictures(visitor.c, changingOf(visitor, id), change);
    return null;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const texts = textsOf(visitor, 'pictures');
    const isFull = error.problem.code === 'too_many_pictures';
    return { status: 409, why: isFull ? texts.full({ most: MAX_PICTURES }) : texts.gone };
  }
}

function changed(changeOf: (fields: URLSearchParams) => Change): Action<PropertyDocument> {
  return async (visitor, { id }, fields) =>
    (await applied(visitor, id, changeOf(fields))) ?? doneWith(id);
}

function kindIn(fields: URLSearchParams): Picture['kind'] {
  return PICTURE_KINDS.find((kind) => kind === fields.get('kind')) ?? 'photo';
}

/** The picture that a form takes back; `null` for anything else. */
function entryIn(json: string): PictureEntry | null {
  try {
    const result = picturesSchema.safeParse([JSON.parse(json)]);
    return result.success ? result.data[0]! : null;
  } catch {
    return null;
  }
}

async function showPictures(
  visitor: Visitor,
  document: PropertyDocument,
  { typed, errors }: { typed?: URLSearchParams | undefined; errors: Record<string, string> },
): Promise<Page> {
  const { isEditor, db, account } = visitor;
  const { id, ref, pictures } = document;
  const texts = textsOf(visitor, 'pictures');
  const elsewhere = pictures.filter((entry) => digestIn(account.code, addressOf(entry)) === null);
  const asked = elsewhere.length === 0 ? [] : await listCopies(db, account.id, id);
  const copies = new Map(asked.map((copying) => [copying.address, copying]));
  const isLeft = elsewhere.some((entry) => copies.get(addressOf(entry))?.reason !== null);
  const { byPlace: findings, unavailable } = await findPictures(visitor, document);
  const count = pictures.length;
  const title = count === 0 ? texts.none : texts.title({ count });
  return {
    title: findings.size === 0 ? title : `${title}, ${texts.needLook({ count: findings.size })}`,
    lead: count === 0 ? texts.noneWhy : texts.lead,
    crumbs: [{ name: ref, href: propertyPath(id) }],
    actions: <ButtonLink href={propertyPath(id)} kind="primary" icon="check" text={texts.done} />,
    content: (
      <>
        {isEditor && <Upload id={id} hasNone={count === 0} />}
        <div id="pictures" class="stack">
          <p class="vh" role="status" id="said" data-moved={texts.movedTo} />
          {count > 0 && (
            <ol class="photos" aria-label={texts.inOrder}>
              {pictures.map((entry, index) => (
                <Shown
                  picture={pictureOf(entry)}
                  place={index + 1}
                  count={count}
                  findings={findings.get(index + 1) ?? []}
                  isGone={unavailable.has(addressOf(entry))}
                  copying={copies.get(addressOf(entry))}
                />
              ))}
            </ol>
          )}
        </div>
        {(isEditor || elsewhere.length > 0) && (
          <div class="blocks">
            {isEditor && (
              <Card title={texts.byAddress}>
                <form method="post" class="stack close">
                  <Input
                    name="addresses"
                    label={texts.addresses}
                    hint={texts.addressesHint}
                    error={errors.addresses}
                    rows={2}
                    value={typed?.get('addresses') ?? ''}
                  />
                  <div class="actions">
                    <Button name="do" value="add" icon="link" text={texts.add} />
                  </div>
                </form>
              </Card>
            )}
            {elsewhere.length > 0 && (
              <Elsewhere
                addresses={elsewhere.map(addressOf)}
                gone={unavailable.size}
                isLeft={isLeft}
              />
            )}
          </div>
        )}
      </>
    ),
  };
}

/** Hosts that are named; there may be many. */
const MOST_HOSTS = 3;

interface ElsewhereProps {
  readonly addresses: readonly string[];
  /** How many of them nobody can fetch. */
  readonly gone: number;
  /** Whether some are not waiting to be copied. */
  readonly isLeft: boolean;
}

/** Which servers the pictures are on that are not served from here, and a button that copies them. */
function Elsewhere({ addresses, gone, isLeft }: ElsewhereProps) {
  const { isEditor, language } = useVisitor();
  const texts = useTexts('pictures');
  const { length: count } = addresses;
  const hosts = [...new Set(addresses.map((address) => hostOf(address) || address))];
  const others = hosts.length - MOST_HOSTS;
  const named = hosts.slice(0, MOST_HOSTS);
  const all = others > 0 ? [...named, texts.otherHosts({ count: others })] : named;
  return (
    <Card title={texts.elsewhere}>
      <p>
        {texts.onHosts({ count, hosts: formatList(all, language) })}
        {gone > 0 && ` ${texts.goneOfThem({ count: gone })}`}
      </p>
      {isEditor && isLeft && (
        <form method="post" class="stack close">
          <p class="muted small">{texts.copyWhy({ count })}</p>
          <div class="actions">
            <Button name="do" value="copy" icon="copy" text={texts.copy} />
          </div>
        </form>
      )}
    </Card>
  );
}

/** A place for files; with the script, they can be dropped on it, and each says how far it is. */
function Upload({ id, hasNone }: { readonly id: string; readonly hasNone: boolean }) {
  const texts = useTexts('pictures');
  const { c } = useVisitor();
  const taken = hasNone ? texts.beginWhy : texts.formats;
  return (
    <div class="duo" id="upload">
      <form class="drop" method="post" enctype="multipart/form-data" action={uploadPath(id)}>
        <span class="mark good">
          <Icon name={hasNone ? 'camera' : 'upload'} />
        </span>
        {hasNone ? <h2>{texts.begin}</h2> : <b>{texts.drop}</b>}
        <label class="muted small" for="files">
          {imagesOf(c.env) === undefined ? texts.asTheyAre : taken}
        </label>
        <input id="files" name="file" type="file" multiple accept="image/*" required />
        <div class="actions">
          <label class="button primary with-script" for="files">
            <Icon name="picture" />
            {texts.choose}
          </label>
          <span class="without-script">
            <Button kind="primary" icon="upload" text={texts.upload} />
          </span>
          <label class="button for-fingers" for="camera" hidden>
            <Icon name="camera" />
            {texts.camera}
          </label>
          <input
            class="vh"
            id="camera"
            type="file"
            accept="image/*"
            capture="environment"
            aria-label={texts.camera}
            hidden
          />
        </div>
      </form>
      <section
        class="card"
        id="uploads"
        hidden
        aria-label={texts.uploads}
        data-waiting={texts.waiting}
        data-working={texts.working}
        data-done={texts.uploaded}
        data-failed={texts.failed}
        data-broken={texts.broken}
        data-retry={texts.retry}
        data-cancel={texts.cancelOf}
      >
        <header>
          <h2>{texts.uploads}</h2>
          <span class="muted">{texts.goOn}</span>
        </header>
        <ul class="files" />
      </section>
    </div>
  );
}

interface ShownProps {
  readonly picture: Picture;
  readonly place: number;
  readonly count: number;
  /** Whether it is to be copied, or could not be. */
  readonly copying: Copying | undefined;
  readonly findings: readonly PictureFinding[];
  /** Whether nobody can fetch it. */
  readonly isGone: boolean;
}

function Shown({ picture, place, count, findings, copying, isGone }: ShownProps) {
  const { url, kind, width, height } = picture;
  const { isEditor, language } = useVisitor();
  const texts = useTexts('pictures');
  const isFirst = place === 1;
  const size = width && height ? `${width} × ${height}` : undefined;
  return (
    <li class={isFirst ? 'card photo first' : 'card photo'} draggable={isEditor} data-picture={url}>
      <figure>
        {isGone ? (
          <span class="gone" role="img" aria-label={texts.unreachable}>
            <Icon name="link" />
          </span>
        ) : (
          <img
            src={isFirst ? url : thumbnailOf(url)}
            alt={texts.alt({ place })}
            title={size}
            class={kind === 'floor_plan' ? 'plan' : undefined}
            loading={place > 6 ? 'lazy' : 'eager'}
            referrerpolicy="no-referrer"
          />
        )}
      </figure>
      <span class="place">{isFirst ? texts.main({ place }) : place}</span>
      {findings.map(({ tone, text, other }) => (
        <p class={`why ${tone}`}>
          <Icon name="warning" />
          <span>
            {text}
            {other && (
              <>
                {' '}
                <a href={other.href}>{other.ref}</a>, {other.place}.
              </>
            )}
          </span>
        </p>
      ))}
      {copying?.reason === null && <p class="muted small">{texts.copying}</p>}
      {copying?.reason && (
        <p class="why warn">
          <Icon name="warning" />
          <span>
            {texts.notCopied} {inWords(language, copying.reason)}
          </span>
        </p>
      )}
      {isEditor && (
        <form method="post" class="tools">
          <Hidden values={{ picture: url }} />
          <select name="kind" aria-label={texts.kindOf({ place })}>
            {PICTURE_KINDS.map((one) => (
              <option value={one} selected={one === kind}>
                {texts.kinds[one]}
              </option>
            ))}
          </select>
          <Tool does="save" icon="check" label={texts.saveKind({ place })} noScript />
          <Tool does="forward" icon="left" label={texts.forward({ place })} disabled={isFirst} />
          <Tool does="back" icon="right" label={texts.back({ place })} disabled={place === count} />
          <Tool does="remove" icon="trash" label={texts.remove({ place })} />
        </form>
      )}
    </li>
  );
}

interface ToolProps {
  readonly does: string;
  readonly icon: IconName;
  readonly label: string;
  readonly disabled?: boolean;
  /** Whether it is only needed without scripts. */
  readonly noScript?: boolean;
}

function Tool({ does, icon, label, disabled, noScript }: ToolProps) {
  return (
    <button
      type="submit"
      name="do"
      value={does}
      class={noScript ? 'tool without-script' : 'tool'}
      aria-label={label}
      title={label}
      disabled={disabled}
    >
      <Icon name={icon} />
    </button>
  );
}
