import { validate } from '../../api/validation.ts';
import type { FieldError } from '../../problem.ts';
import {
  BUILDINGS,
  CERTIFICATES,
  type DevelopmentDetails,
  NO_DETAILS,
  STAGES,
} from '../../properties/development.ts';
import { findDevelopment, removeDevelopment } from '../../units/developments.ts';
import { developmentChange } from '../../units/schemas.ts';
import { putDevelopment, removing } from '../../units/update.ts';
import { type Done, definePage, type Refusal } from '../define-page.tsx';
import { SAVED } from '../flash.tsx';
import { isoCode } from '../format.ts';
import { Deletion, Fields, LanguageTabs, Submit } from '../frame/form.tsx';
import { Card } from '../frame/parts.tsx';
import { unitsPath } from '../paths.ts';
import { type Kind, TEXT_LANGUAGES } from '../properties/fields.ts';
import { readText } from '../properties/read.ts';
import { asSentence, textsOf } from '../texts/texts.ts';
import { actorOf, type FormState, type Page, type Visitor } from '../visit.ts';

/** A development as its form shows it. */
export interface ShownDevelopment {
  readonly id: string;
  readonly name: string;
  readonly details: DevelopmentDetails;
}

/** The details in one line each, in the order shown, with how each is typed in. */
const LINES = {
  town: 'text',
  province: 'text',
  country: 'text',
  postcode: 'postcode',
  address: 'text',
  location: 'coordinates',
  building: 'choice',
  stage: 'choice',
  finished: 'flag',
  starts_on: 'text',
  keys_in: 'text',
  energy: 'choice',
} as const satisfies Partial<Record<keyof DevelopmentDetails, Kind>>;

type Line = keyof typeof LINES;

const NAMES = Object.keys(LINES) as Line[];

/** The field of the description in a language. */
const descriptionIn = (element: string) => `description-${element}`;

/** A development of the account with its details; `null` if it has none with this identifier. */
export async function loadDevelopment(
  { db, account }: Visitor,
  id: string,
): Promise<ShownDevelopment | null> {
  const found = await findDevelopment(db, account.id, id);
  if (found === null) return null;
  const details = found.details === null ? NO_DETAILS : JSON.parse(found.details);
  return { id, name: found.name, details };
}

/** The form of a development, or of a new one without an `id`. */
export const development = definePage<ShownDevelopment | undefined>({
  find: async (visitor) => {
    const id = visitor.c.req.query('id');
    return id === undefined ? undefined : loadDevelopment(visitor, id);
  },
  settings: ({ name, details }) => ({ name, details }),
  show: developmentPage,
  create: save,
  actions: {
    save,
    delete: async ({ c, db, account, language }, { id, name }) => {
      const removal = await removing(c, account.id, removeDevelopment(db, account.id, id));
      if (removal === 'in use')
        return { why: textsOf({ language }, 'units').developmentInUse, status: 409 };
      return { did: 'development.deleted', with: name, next: '/developments' };
    },
  },
});

async function save(
  visitor: Visitor,
  stored: ShownDevelopment | undefined,
  fields: URLSearchParams,
): Promise<Done | Refusal> {
  const { c, account, language } = visitor;
  const texts = textsOf(visitor, 'properties').form;
  const textIn = (name: string) => (fields.get(name) ?? '').replaceAll('\r\n', '\n').trim();
  const place = { country: textIn('country'), province: textIn('province') };
  const errors: Record<string, string> = {};
  const read = (name: string, kind: Kind) => {
    const value = readText(kind, textIn(name), place);
    if ('value' in value) return value.value;
    errors[name] = texts.errors[value.error];
    return null;
  };
  const finished = { '': null, 0: false, 1: true }[textIn('finished')];
  const lines = NAMES.map((name) => [name, read(name, LINES[name])] as const);
  const written = TEXT_LANGUAGES.flatMap((element) => {
    const description = textIn(descriptionIn(element));
    return description === '' ? [] : [[element, { description }] as const];
  });
  // Those in languages that the form does not have stay.
  const others = Object.entries(stored?.details.texts ?? {}).filter(
    ([element]) => !TEXT_LANGUAGES.some((one) => one === element),
  );
  const details = {
    ...Object.fromEntries(lines),
    finished,
    pictures: read('pictures', 'lines'),
    texts: Object.fromEntries([...others, ...written]),
  };
  const given = validate(developmentChange, { name: textIn('name'), details });
  if ('errors' in given)
    for (const error of given.errors) errors[fieldOf(error)] ??= asSentence(language, error);
  if ('errors' in given || Object.keys(errors).length > 0) return { errors };
  const { name } = given.value;
  const id = stored?.id ?? (await freeIdentifier(visitor, name));
  const writer = { accountId: account.id, actor: actorOf(visitor) };
  const document = { kind: 'development', id, ...given.value } as const;
  const isNew = await putDevelopment(c, writer, document, stored === undefined);
  // Somebody has taken the identifier in the meantime.
  if (stored === undefined && !isNew) return { why: visitor.common.conflict, status: 412 };
  return { did: 'development.saved', with: name, next: unitsPath(id), flash: SAVED };
}

/** The field that an error of the API is about. */
function fieldOf({ pointer }: FieldError): string {
  const [, first = '', detail = '', element = ''] = pointer.split('/');
  if (first !== 'details') return first;
  return detail === 'texts' ? descriptionIn(element) : detail;
}

/** An identifier for a name, `Mar Verde & Sol` as `mar-verde-sol`, that no other development has. */
async function freeIdentifier({ db, account }: Visitor, name: string): Promise<string> {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const first =
    plain
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '')
      .normalize('NFC')
      .slice(0, 90) || 'development';
  for (let number = 1; ; number++) {
    const id = number === 1 ? first : `${first}-${number}`;
    if ((await findDevelopment(db, account.id, id)) === null) return id;
  }
}

/** What the form shows of a development. */
function valuesOf(stored: ShownDevelopment | undefined): Readonly<Record<string, string>> {
  const { name = '', details = { ...NO_DETAILS, country: 'Spain' } } = stored ?? {};
  const textOfLine = (line: Line) => {
    const value = details[line];
    if (typeof value === 'boolean') return String(Number(value));
    if (typeof value === 'object' && value !== null) return Object.values(value).join(', ');
    return value ?? '';
  };
  const descriptions = TEXT_LANGUAGES.map((element) => [
    descriptionIn(element),
    details.texts[element]?.description ?? '',
  ]);
  return {
    name,
    ...Object.fromEntries(NAMES.map((line) => [line, textOfLine(line)])),
    ...Object.fromEntries(descriptions),
    pictures: details.pictures.join('\n'),
  };
}

function developmentPage(
  visitor: Visitor,
  stored: ShownDevelopment | undefined,
  form: FormState,
): Page {
  const { common } = visitor;
  const texts = textsOf(visitor, 'units');
  const { fields, choices } = texts.form;
  const values = valuesOf(stored);
  const worded = <Value extends string>(
    all: readonly Value[],
    words: Readonly<Record<Value, string>>,
  ) => all.map((one) => [one, words[one]] as const);
  const unknown = ['', '—'] as const;
  const line = { autocomplete: 'off' } as const;
  const cancel = stored === undefined ? '/developments' : unitsPath(stored.id);
  const lengthOf = (element: string) =>
    (form.typed?.get(descriptionIn(element)) ?? values[descriptionIn(element)] ?? '').length;
  const addresses = (form.typed?.get('pictures') ?? values.pictures ?? '').split('\n');
  const shown = addresses.map((one) => one.trim()).filter((one) => /^https?:/.test(one));
  return {
    title: stored === undefined ? texts.newDevelopment : stored.name,
    lead: stored === undefined ? texts.newDevelopmentLead : texts.developmentLead,
    crumbs: stored === undefined ? [] : [{ name: stored.name, href: unitsPath(stored.id) }],
    content: (
      <>
        <form method="post" class="stack" data-keep>
          <Card title={texts.form.what}>
            <div class="fields">
              <Fields
                form={form}
                texts={{ ...fields, keys_inHint: texts.form.keysHint }}
                values={values}
                fields={{
                  name: { ...line, required: true, wide: true },
                  building: { options: worded(BUILDINGS, choices.building) },
                  stage: { options: [unknown, ...worded(STAGES, choices.stage)] },
                  finished: { options: [unknown, ...worded(['0', '1'], choices.finished)] },
                  starts_on: { ...line, type: 'date' },
                  keys_in: { ...line, type: 'month', placeholder: '2028-06' },
                  energy: { options: [unknown, ...worded(CERTIFICATES, choices.energy)] },
                }}
              />
            </div>
          </Card>
          <Card title={texts.form.where}>
            <div class="fields">
              <Fields
                form={form}
                texts={fields}
                values={values}
                fields={{
                  location: { ...line, wide: true },
                  town: line,
                  postcode: line,
                  province: line,
                  country: line,
                  address: { ...line, wide: true },
                }}
              />
            </div>
          </Card>
          <Card title={texts.form.texts}>
            <LanguageTabs
              languages={TEXT_LANGUAGES}
              lengthOf={lengthOf}
              isWanted={(element) => descriptionIn(element) in form.errors}
              panelOf={(element) => (
                <Fields
                  form={form}
                  texts={{ [descriptionIn(element)]: fields.description }}
                  values={values}
                  fields={{ [descriptionIn(element)]: { rows: 8, lang: isoCode(element) } }}
                />
              )}
            />
          </Card>
          <Card title={texts.form.pictures}>
            <Fields
              form={form}
              texts={{ ...fields, picturesHint: texts.form.picturesHint }}
              values={values}
              fields={{ pictures: { rows: 4 } }}
            />
            {shown.length > 0 && (
              <div class="pictures">
                {shown.map((address, index) => (
                  <img
                    src={address}
                    alt={`${texts.form.picture} ${index + 1}`}
                    loading="lazy"
                    referrerpolicy="no-referrer"
                  />
                ))}
              </div>
            )}
          </Card>
          <Submit
            version={form.version}
            cancel={cancel}
            text={stored === undefined ? texts.createDevelopment : common.save}
          />
        </form>
        {stored && <Deletion title={texts.deleteDevelopment} why={texts.deleteDevelopmentWhy} />}
      </>
    ),
  };
}
