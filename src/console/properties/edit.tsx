import type { Child } from 'hono/jsx';
import type { PropertyOperation } from '../../api/properties/schemas.ts';
import { propertyTag, writeProperties } from '../../api/properties/write.ts';
import { invalidateFeeds } from '../../feed/invalidation/invalidate.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import { languageName } from '../format.tsx';
import { Choice, Hidden, Input, Submit } from '../frame/form.tsx';
import { Card, Notice } from '../frame/parts.tsx';
import { propertyPath, withQuery } from '../paths.ts';
import { pageOf, type Sent } from '../subject.tsx';
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
export const propertyForm = pageOf<PropertyDocument | undefined>({
  find: async ({ env, req }, { account, language }) => {
    const id = req.query('id');
    return id === undefined ? undefined : ((await loadProperty(env.DB, account.id, id, language))?.document ?? null);
  },
  show: ({ c, visitor, subject }) => {
    const typed = shownFields(subject, visitor.language);
    return formPage(visitor, subject, { typed, focused: fieldOfNode(c.req.query('node') ?? '') });
  },
  actions: { save },
  create: save,
});

/** Saves what was typed differently; if somebody else has changed the property meanwhile, shows both. */
async function save({ c, visitor, subject: document, fields }: Sent<PropertyDocument | undefined>) {
  const { account, language, now } = visitor;
  const texts = PROPERTIES[language].form;
  const typed = typedFields(fields);
  const again = (status: 200 | 412 | 422, text: string, errors: Errors = {}): Page => {
    const notice = <Notice kind={status === 200 ? 'info' : 'bad'}>{text}</Notice>;
    return { ...formPage(visitor, document, { typed, errors }), status, notice };
  };
  const shown = document === undefined ? {} : shownFields(document, language);
  const read = patchOf(typed, shown);
  if ('errors' in read) {
    return again(422, texts.invalid, Object.fromEntries(read.errors.map(([name, error]) => [name, texts[error]])));
  }
  const version = fields.get('version') ?? '';
  if (document !== undefined && version !== propertyTag(document)) {
    const differing = Object.keys(shown).filter((name) => (typed[name] ?? shown[name]) !== shown[name]);
    const errors = differing.map((name) => [name, texts.currently({ value: shown[name] || '—' })]);
    return again(412, texts.conflict, Object.fromEntries(errors));
  }
  if (Object.keys(read.patch).length === 0) return again(200, texts.unchanged);
  const operation: PropertyOperation =
    document === undefined
      ? { op: 'put', id: (typed.id ?? '').trim(), property: read.patch, if_none_match: '*' }
      : { op: 'patch', id: document.id, patch: read.patch, if_match: version };
  const [result] = await writeProperties(c.env.DB, account.id, [operation], { atomic: true, now });
  if ('problem' in result!) {
    const invalid = result.problem?.errors;
    if (invalid !== undefined) return again(422, texts.invalid, fieldErrors(invalid, language));
    return document === undefined ? again(412, texts.invalid, { id: texts.idTaken }) : again(412, texts.conflict);
  }
  invalidateFeeds(c.env, c.executionCtx, account.id, Date.now());
  return { did: 'property.changed', with: operation.id, next: propertyPath(operation.id) };
}

interface State {
  readonly typed: Typed;
  readonly errors?: Errors;
  /** The name of the field that a finding is about. */
  readonly focused?: string | undefined;
}

function formPage(visitor: Visitor, document: PropertyDocument | undefined, state: State): Page {
  const { language, texts: common } = visitor;
  const texts = PROPERTIES[language].form;
  const parts = Object.entries(FORM) as [keyof typeof FORM, readonly FormField[]][];
  const isUnit = document?.unit != null;
  const ofUnit = ['status', 'price'];
  const cancel = document === undefined ? '/properties' : propertyPath(document.id);
  return {
    title: document === undefined ? texts.addTitle : texts.editTitle({ ref: document.ref }),
    lead: isUnit ? texts.ofUnit : texts.lead,
    crumbs: document === undefined ? [] : [[document.ref, cancel]],
    content: (
      <form method="post" action={withQuery('/property/edit', { id: document?.id })} class="stack">
        {document === undefined ? (
          <Card title={texts.id}>
            <Input
              field={{ name: 'id', label: texts.id, hint: texts.idHint, error: state.errors?.id }}
              value={state.typed.id}
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
                  <Field field={field} state={state} />
                ))}
            </div>
          </Card>
        ))}
        <Submit cancel={cancel}>{common.save}</Submit>
      </form>
    ),
  };
}

function Field({ field: { name, kind, required, choices }, state }: { field: FormField; state: State }): Child {
  const { language, texts: common } = useVisitor();
  const texts = useTexts(PROPERTIES).form;
  const [what, element] = name.split('-');
  const spoken = TEXT_LANGUAGES.find((one) => one === element);
  const label =
    spoken === undefined
      ? textOf(texts.fields, name)
      : texts[what === 'title' ? 'title' : 'description']({ language: languageName(spoken, language) });
  const value = state.typed[name] ?? '';
  const error = state.errors?.[name];
  const autofocus = name === state.focused;
  // What is wrong with coordinates says the same as their hint.
  const hint = { price: texts.onRequest, location: error === undefined ? texts.locationHint : undefined }[name];
  const field = { name, label, error, hint, autofocus, wide: kind === 'lines' || spoken !== undefined };
  if (kind === 'flag' || kind === 'entry') {
    return (
      <Choice name={name} checked={value === '1'} autofocus={autofocus}>
        {label}
        {error && <span class="error"> {error}</span>}
      </Choice>
    );
  }
  return (
    <Input
      field={field}
      value={value}
      options={choices?.map((one) => [one, textOf(common.statuses, one)])}
      rows={kind === 'lines' || what === 'description' ? 8 : undefined}
      required={required === true}
      inputmode={kind === 'number' ? 'decimal' : 'text'}
      autocomplete="off"
    />
  );
}
