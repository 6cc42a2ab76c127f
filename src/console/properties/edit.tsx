import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { PropertyOperation } from '../../api/properties/schemas.ts';
import { propertyTag, writeProperties } from '../../api/properties/write.ts';
import type { AppEnv } from '../../env.ts';
import { invalidateFeeds } from '../../feed/invalidation/invalidate.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import { languageName } from '../format.tsx';
import { Choice, Hidden, Select, Submit, TextArea, TextField } from '../frame/form.tsx';
import { Card, Notice } from '../frame/parts.tsx';
import { notFoundPage, readForm, recordDone } from '../guards.tsx';
import { propertyPath, withQuery } from '../paths.ts';
import { textOf } from '../texts/catalogue.ts';
import { PROPERTIES } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import {
  FORM,
  type FormField,
  fieldErrors,
  fieldOfNode,
  patchOf,
  shownFields,
  TEXT_LANGUAGES,
  type Typed,
  typedFields,
} from './form.ts';
import { loadProperty } from './property.ts';

type Errors = Readonly<Record<string, string>>;

/** The form of a property, or of a new one without an `id`. */
export async function showPropertyForm(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const document = await findDocument(c, visitor);
  if (document === undefined) return notFoundPage(visitor);
  const typed = shownFields(document, visitor.language);
  return formPage(visitor, document, { typed, focused: fieldOfNode(c.req.query('node') ?? '') });
}

/** Saves what was typed differently; if somebody else has changed the property meanwhile, shows both. */
export async function saveProperty(c: Context<AppEnv>, visitor: Visitor): Promise<Page | Response> {
  const { account, language, now } = visitor;
  const texts = PROPERTIES[language].form;
  const document = await findDocument(c, visitor);
  if (document === undefined) return notFoundPage(visitor);
  const fields = await readForm(c);
  const typed = typedFields(fields);
  const again = (status: 200 | 412 | 422, text: string, errors: Errors = {}): Page => {
    const notice = <Notice kind={status === 200 ? 'info' : 'bad'}>{text}</Notice>;
    return { ...formPage(visitor, document, { typed, errors }), status, notice };
  };
  const shown = document === null ? {} : shownFields(document, language);
  const read = patchOf(typed, shown);
  if ('errors' in read) {
    return again(422, texts.invalid, Object.fromEntries(read.errors.map(([name, error]) => [name, texts[error]])));
  }
  const version = fields.get('version') ?? '';
  if (document !== null && version !== propertyTag(document)) {
    const differing = Object.keys(shown).filter((name) => (typed[name] ?? shown[name]) !== shown[name]);
    const errors = differing.map((name) => [name, texts.currently({ value: shown[name] || '—' })]);
    return again(412, texts.conflict, Object.fromEntries(errors));
  }
  if (Object.keys(read.patch).length === 0) return again(200, texts.unchanged);
  const operation: PropertyOperation =
    document === null
      ? { op: 'put', id: (typed.id ?? '').trim(), property: read.patch, if_none_match: '*' }
      : { op: 'patch', id: document.id, patch: read.patch, if_match: version };
  const [result] = await writeProperties(c.env.DB, account.id, [operation], { atomic: true, now });
  if ('problem' in result!) {
    const invalid = result.problem?.errors;
    if (invalid !== undefined) return again(422, texts.invalid, fieldErrors(invalid));
    return document === null ? again(412, texts.invalid, { id: texts.idTaken }) : again(412, texts.conflict);
  }
  await recordDone(c, visitor, 'property.changed', operation.id);
  invalidateFeeds(c.env, c.executionCtx, account.id, Date.now());
  return c.redirect(propertyPath(operation.id), 303);
}

/** The property that the query names; `null` for a new one, `undefined` if there is none with this identifier. */
async function findDocument(
  c: Context<AppEnv>,
  { account, language }: Visitor,
): Promise<PropertyDocument | null | undefined> {
  const id = c.req.query('id');
  return id === undefined ? null : (await loadProperty(c.env.DB, account.id, id, language))?.document;
}

interface State {
  readonly typed: Typed;
  readonly errors?: Errors;
  /** The name of the field that a finding is about. */
  readonly focused?: string | undefined;
}

function formPage(visitor: Visitor, document: PropertyDocument | null, { typed, errors = {}, focused }: State): Page {
  const { language, texts: common } = visitor;
  const texts = PROPERTIES[language].form;
  const parts = Object.entries(FORM) as [keyof typeof FORM, readonly FormField[]][];
  const isUnit = document !== null && document.unit !== null;
  const ofUnit = ['status', 'price'];
  const cancel = document === null ? '/properties' : propertyPath(document.id);
  return {
    title: document === null ? texts.addTitle : texts.editTitle({ ref: document.ref }),
    lead: isUnit ? texts.ofUnit : texts.lead,
    crumbs: document === null ? [] : [[document.ref, cancel]],
    content: (
      <form method="post" action={withQuery('/property/edit', { id: document?.id })} class="stack">
        {document === null ? (
          <Card title={texts.id}>
            <TextField
              field={{ name: 'id', label: texts.id, hint: texts.idHint, error: errors.id }}
              value={typed.id}
              required
              maxlength={100}
              autocomplete="off"
            />
          </Card>
        ) : (
          <Hidden values={{ version: propertyTag(document) }} />
        )}
        {parts.map(([part, fields]) => (
          <Card title={texts.parts[part]}>
            <div class="fields">
              {fields
                .filter(({ name }) => !isUnit || !ofUnit.includes(name))
                .map((field) => (
                  <Field
                    field={field}
                    value={typed[field.name] ?? ''}
                    error={errors[field.name]}
                    autofocus={field.name === focused}
                  />
                ))}
            </div>
          </Card>
        ))}
        <Submit cancel={cancel}>{common.save}</Submit>
      </form>
    ),
  };
}

interface FieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly error: string | undefined;
  readonly autofocus: boolean;
}

function Field({ field: { name, kind, required, choices = [] }, value, error, autofocus }: FieldProps): Child {
  const { language, texts: common } = useVisitor();
  const texts = useTexts(PROPERTIES).form;
  const [what, element] = name.split('-');
  const spoken = TEXT_LANGUAGES.find((one) => one === element);
  const label =
    spoken === undefined
      ? textOf(texts.fields, name)
      : texts[what === 'title' ? 'title' : 'description']({ language: languageName(spoken, language) });
  const hint = { price: texts.onRequest, location: texts.locationHint }[name];
  const field = { name, label, error, hint, autofocus, wide: kind === 'lines' || spoken !== undefined };
  if (kind === 'flag' || kind === 'entry') {
    return (
      <Choice name={name} checked={value === '1'} autofocus={autofocus}>
        {label}
        {error && <span class="error"> {error}</span>}
      </Choice>
    );
  }
  if (kind === 'choice') {
    return <Select field={field} value={value} options={choices.map((one) => [one, textOf(common.statuses, one)])} />;
  }
  if (kind === 'lines' || what === 'description') return <TextArea field={field} value={value} rows={8} />;
  const inputmode = kind === 'number' ? 'decimal' : 'text';
  return (
    <TextField field={field} value={value} required={required === true} inputmode={inputmode} autocomplete="off" />
  );
}
