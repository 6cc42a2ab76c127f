import type { Child, JSX } from 'hono/jsx';
import { formatNumber, isoCode, languageName } from '../format.ts';
import { type Query, withQuery } from '../paths.ts';
import { type FormState, useGuest, useTexts } from '../visit.ts';
import { Icon } from './icon.tsx';
import {
  Button,
  ButtonLink,
  type ButtonProps,
  Card,
  TableCard,
  type TableCardProps,
} from './parts.tsx';

export type Options = readonly (readonly [value: string, text: Child])[];

type Attributes = JSX.IntrinsicElements['input'];

/** A field of a form, with what is shown at it; other properties are those of the element. */
export type Field = Attributes & {
  readonly label?: Child;
  readonly hint?: Child;
  /** What is wrong with the value, or what it is now. */
  readonly error?: string | undefined;
  /** The choices: one of them or, with the type `checkbox`, any number. */
  readonly options?: Options | undefined;
  /** The options that are ticked. */
  readonly chosen?: readonly string[];
  /** The height in lines of a text that may have several. */
  readonly rows?: number | undefined;
  readonly wide?: boolean;
  /** Shown last. */
  readonly below?: Child;
};

/** A labelled input, a choice, a text of several lines, boxes to tick, or one box, which is ticked unless the value is empty. */
export function Input(field: Field & { readonly name: string }) {
  const {
    name,
    id = name,
    label,
    hint,
    error,
    options,
    chosen = [],
    rows,
    wide,
    below: last,
    value,
    ...attributes
  } = field;
  const notes = Object.entries({ error, hint }).filter(([, text]) => text !== undefined);
  const given = {
    id,
    name,
    autofocus: attributes.autofocus || error !== undefined,
    'aria-describedby': notes.map(([kind]) => `${id}-${kind}`).join(' ') || undefined,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
  };
  const below = (
    <>
      {notes.map(([kind, text]) => (
        <span class={kind} id={`${id}-${kind}`}>
          {text}
        </span>
      ))}
      {last}
    </>
  );
  const isBox = attributes.type === 'checkbox';
  if (isBox && options) {
    return (
      <fieldset class="field wide" aria-describedby={error && `${id}-error`}>
        <legend>{label}</legend>
        <div class="choices">
          {options.map(([option, text]) => (
            <Choice
              name={name}
              value={option}
              text={text}
              checked={chosen.includes(option)}
              autofocus={error !== undefined}
            />
          ))}
        </div>
        {below}
      </fieldset>
    );
  }
  if (isBox) {
    return (
      <div class={wide ? 'wide' : undefined}>
        <Choice {...given} checked={value !== ''} text={label} />
        {below}
      </div>
    );
  }
  const lines = rows && (
    <textarea rows={rows} lang={attributes.lang} {...given}>
      {/* A line feed after the tag is not part of the text (HTML section 13.2.6.4.7). */}
      {`\n${value}`}
    </textarea>
  );
  const choice = options && <Select {...given} options={options} value={value} />;
  return (
    <div class={wide ? 'field wide' : 'field'}>
      {label && <label for={id}>{label}</label>}
      {choice ?? lines ?? <input {...attributes} value={value} {...given} />}
      {below}
    </div>
  );
}

type SelectProps = Pick<Attributes, 'id' | 'name' | 'value' | 'autofocus'> & {
  readonly options: Options;
};

/** A choice; other properties are those of the element. */
function Select({ options, value, ...attributes }: SelectProps) {
  return (
    <select {...attributes}>
      {options.map(([option, text]) => (
        <option value={option} selected={option === String(value ?? '')}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A field in a cell of a table, with its label for those who cannot see the table, and what is wrong with its value. */
export function CellInput({
  label,
  error,
  options,
  ...attributes
}: Omit<Field, 'label'> & { label: string }) {
  const isWrong = error !== undefined;
  const named = {
    ...attributes,
    'aria-label': isWrong ? `${label}: ${error}` : label,
    'aria-invalid': isWrong ? ('true' as const) : undefined,
    autofocus: isWrong,
  };
  return (
    <>
      {options ? <Select {...named} options={options} /> : <input {...named} />}
      {error && <span class="error">{error}</span>}
    </>
  );
}

/** Languages that portals of Spain ask for. */
const NEEDED = ['es', 'uk'];

interface LanguageTabsProps {
  /** Elements of languages. */
  readonly languages: readonly string[];
  /** How long the text in a language is. */
  readonly lengthOf: (element: string) => number;
  /** Whether something is wrong or asked for in a language: that one is shown first. */
  readonly isWanted: (element: string) => boolean;
  readonly panelOf: (element: string) => Child;
}

/** A part of a form for each language, as tabs: needed ones first, then those with a text; the one that is ticked is shown. */
export function LanguageTabs({ languages, lengthOf, isWanted, panelOf }: LanguageTabsProps) {
  const { common, language } = useGuest();
  const rankOf = (element: string) =>
    NEEDED.includes(element) ? 2 : Number(lengthOf(element) > 0);
  const ordered = languages.toSorted((a, b) => rankOf(b) - rankOf(a));
  const open = ordered.find(isWanted) ?? ordered.find((element) => isoCode(element) === language);
  return (
    <fieldset class="tabs" aria-label={common.languageOfText}>
      {ordered.map((element) => {
        const length = lengthOf(element);
        const isMissing = length === 0 && NEEDED.includes(element);
        return (
          <>
            <label class="tab">
              <input class="vh" type="radio" name="language" checked={element === open} />
              {languageName(element, language)}
              <small id={`length-${element}`} data-live class={isMissing ? 'warn' : undefined}>
                {isMissing ? common.absent : length > 0 && formatNumber(length, language)}
              </small>
            </label>
            <fieldset class="panel" aria-label={languageName(element, language)}>
              {panelOf(element)}
            </fieldset>
          </>
        );
      })}
    </fieldset>
  );
}

/** Something to tick as a chip; other properties are those of the element. */
export function Tick({ text, ...attributes }: Attributes & { readonly text: Child }) {
  return (
    <label class="tick">
      <input class="vh" type="checkbox" value="1" {...attributes} />
      {text}
    </label>
  );
}

/** A box to tick; other properties are those of the element. */
export function Choice({
  name,
  value = '1',
  text,
  ...attributes
}: Attributes & { readonly text: Child }) {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value={value} {...attributes} />
      <span>{text}</span>
    </label>
  );
}

/** The other properties are for the button that submits the form. */
interface SubmitProps extends ButtonProps {
  /** That of a form of settings. */
  readonly version?: FormState['version'];
  /** The path of a link that leaves the form. */
  readonly cancel?: string;
  /** Additional buttons. */
  readonly more?: Child;
}

/** The buttons at the end of a form. */
export function Submit({ version, cancel, more, ...button }: SubmitProps) {
  const { common } = useGuest();
  return (
    <div class="actions">
      {version && <Hidden values={{ version }} />}
      <Button kind="primary" {...button} />
      {cancel && <ButtonLink href={cancel} text={common.cancel} />}
      {more}
    </div>
  );
}

/** The longest text that is searched for. */
export const MAX_SEARCH_LENGTH = 100;

/** Something that a list is filtered or ordered by. */
export interface FilterMenu {
  readonly name: string;
  readonly label: string;
  readonly options: readonly {
    readonly value: string;
    readonly text: string;
    /** How many there are with this value. */
    readonly count?: number;
  }[];
  /** The value that is chosen, in words. */
  readonly chosen?: string | undefined;
}

interface FilterBarProps {
  readonly path: string;
  readonly search?: { readonly name: string; readonly label: string };
  readonly menus: readonly FilterMenu[];
  readonly values: Query;
  /** Where no filter is chosen, unless that is the path. */
  readonly clearPath?: string;
  /** What stands before the filters. */
  readonly children?: Child;
}

/** The search and the filters above a list, which are links: a menu has its values with their numbers; a chosen one removes itself. */
export function FilterBar(props: FilterBarProps) {
  const { path, search, menus, values, clearPath = path, children } = props;
  const { common, language } = useGuest();
  const others = Object.entries(values).filter(([name]) => name !== search?.name);
  const chosen = menus.filter((menu) => menu.chosen !== undefined);
  return (
    <search class="stack close">
      {search && (
        <form action={path} class="bar">
          <SearchField {...search} value={values[search.name]} />
          <Hidden values={others as [string, string][]} />
          <Button text={common.search} />
        </form>
      )}
      <div class="ticks">
        {children}
        {chosen.map(({ name, chosen: text }) => (
          <a
            class="tick"
            aria-current="true"
            aria-label={common.removeFilter({ name: text! })}
            href={withQuery(path, { ...values, [name]: undefined })}
          >
            {text}
            <Icon name="cross" />
          </a>
        ))}
        {menus
          .filter((menu) => menu.chosen === undefined && menu.options.length > 1)
          .map(({ name, label, options }) => (
            <details class="menu" name="menu">
              <summary class="tick">
                {label}
                <Icon name="down" />
              </summary>
              <div>
                {options.map(({ value, text, count }) => (
                  <a
                    href={withQuery(path, { ...values, [name]: value })}
                    aria-current={values[name] === value ? 'true' : undefined}
                  >
                    {text}
                    {count !== undefined && <small>{formatNumber(count, language)}</small>}
                  </a>
                ))}
              </div>
            </details>
          ))}
        {chosen.length > 0 && (
          <a class="small" href={clearPath}>
            {common.showAll}
          </a>
        )}
      </div>
    </search>
  );
}

/** A field to search; its label is its placeholder. */
export function SearchField({
  name,
  label,
  value,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
}) {
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        name={name}
        aria-label={label}
        placeholder={label}
        value={value}
        maxlength={MAX_SEARCH_LENGTH}
      />
    </div>
  );
}

/** Values that a form sends besides what is typed. */
export function Hidden({
  values,
}: {
  readonly values: Readonly<Record<string, string>> | Iterable<readonly [string, string]>;
}) {
  const pairs = Symbol.iterator in values ? [...values] : Object.entries(values);
  return pairs.map(([name, value]) => <input type="hidden" name={name} value={value} />);
}

interface FieldsProps<Name extends string> {
  readonly form: FormState;
  /** By name, in the order shown; undefined ones are left out. */
  readonly fields: { readonly [Key in Name]?: Field | undefined };
  /** A label by the name of each field, and hints by the same with `Hint`. */
  readonly texts: NoInfer<
    Readonly<Record<Name, string>> & { readonly [Hint in `${Name}Hint`]?: string }
  >;
  readonly values?: NoInfer<Readonly<Partial<Record<Name, string | undefined>>>> | undefined;
  /** The value of the button, if the form is one of several of a page. */
  readonly does?: string | undefined;
}

/** The fields of a form with their labels and hints; if it was sent and refused, with what was typed and what is wrong. */
export function Fields<Name extends string>(props: FieldsProps<Name>) {
  const { form, does = 'save' } = props;
  const fields: Readonly<Record<string, Field | undefined>> = props.fields;
  const texts: Readonly<Record<string, string | undefined>> = props.texts;
  const values: Readonly<Record<string, string | undefined>> = props.values ?? {};
  const { typed, errors } =
    (form.typed?.get('do') ?? 'save') === does ? form : { typed: undefined, errors: {} };
  return Object.entries(fields).map(([name, field]) => {
    if (field === undefined) return null;
    const isSecret = field.type === 'password' || field.autocomplete === 'one-time-code';
    const sent = isSecret ? undefined : typed;
    // An unticked box is not sent.
    const otherwise = sent && field.type === 'checkbox' ? '' : values[name];
    return (
      <Input
        {...field}
        name={name}
        label={texts[name]}
        hint={texts[`${name}Hint`]}
        value={sent?.get(name) ?? otherwise}
        chosen={sent?.getAll(name) ?? field.chosen ?? []}
        error={errors[name]}
      />
    );
  });
}

interface FormCardProps<Name extends string>
  extends Omit<SubmitProps, 'text' | 'title' | 'version'>,
    FieldsProps<Name> {
  readonly title: string;
  readonly enctype?: 'multipart/form-data';
  readonly submit: string;
  /** What stands before the fields. */
  readonly children?: Child;
}

/** A form in a card of its own, sent to the page that shows it; the other properties are for its buttons. */
export function FormCard<Name extends string>(props: FormCardProps<Name>) {
  const { title, enctype, submit, form, fields, texts, values, does, children, ...end } = props;
  return (
    <Card title={title}>
      <form method="post" enctype={enctype} class="stack close">
        {children}
        <Fields form={form} fields={fields} texts={texts} values={values} does={does} />
        <Submit {...end} version={form.version} name={does && 'do'} value={does} text={submit} />
      </form>
    </Card>
  );
}

/** A form without fields in a card of its own, which does one thing. */
export function ActionCard({
  title,
  why,
  does,
  kind = 'primary',
  children,
}: {
  readonly title: string;
  readonly why: string;
  readonly does: string;
  readonly kind?: 'primary' | 'danger';
  /** What can be chosen. */
  readonly children?: Child;
}) {
  return (
    <Card title={title}>
      <form method="post" class="stack close">
        <p class="muted">{why}</p>
        {children}
        <Submit kind={kind} name="do" value={does} text={title} />
      </form>
    </Card>
  );
}

/** The form that deletes or replaces something, which has to be confirmed. */
export function Deletion({
  title,
  why,
  does = 'delete',
}: {
  readonly title: string;
  readonly why: string;
  readonly does?: 'delete' | 'rotate';
}) {
  return (
    <ActionCard title={title} why={why} does={does} kind="danger">
      <Sure />
    </ActionCard>
  );
}

/** The box that confirms what cannot be undone. */
export function Sure() {
  return <Choice name="sure" checked={false} required text={useGuest().common.sure} />;
}

/** What undoing something would do: what each row is about, what that goes back to, and what stays that somebody has changed since. */
export function UndoTable({
  column,
  ...table
}: Omit<TableCardProps, 'columns' | 'none'> & { readonly column: string }) {
  const texts = useTexts('undo');
  const isAllUndone = table.rows.every((cells) => !cells.at(-1));
  const stays = isAllUndone ? { hidden: texts.stays } : texts.stays;
  return (
    <TableCard
      {...table}
      columns={[column, texts.becomes, stays]}
      none={{ icon: 'check', text: texts.nothing }}
    />
  );
}

interface UndoEndProps {
  /** Whether something is left to undo. */
  readonly isLeft: boolean;
  readonly version?: FormState['version'];
  /** Where to go on if nothing is. */
  readonly href: string;
  readonly text: string;
}

/** The button that undoes what was shown. */
export function UndoEnd({ isLeft, version, href, text }: UndoEndProps) {
  const { common } = useGuest();
  if (!isLeft) return <ButtonLink href={href} text={text} />;
  return (
    <ButtonForm buttons={[{ does: 'save', text: common.undo, kind: 'primary' }]}>
      {version && <Hidden values={{ version }} />}
    </ButtonForm>
  );
}

/** A button that does something at once. */
export interface ActionButton {
  readonly does: string;
  readonly text: string;
  readonly kind?: 'primary' | 'danger';
}

interface ButtonFormProps {
  readonly buttons: readonly ActionButton[];
  /** The path of the page that defines what they do; by default, the page that shows them. */
  readonly action?: string;
  /** What stands before them. */
  readonly children?: Child;
}

/** Buttons in a row. */
export function ButtonForm({ buttons, action, children }: ButtonFormProps) {
  return (
    <form method="post" action={action} class="actions">
      {children}
      {buttons.map(({ does, text, kind }) => (
        <Button name="do" value={does} kind={kind} text={text} />
      ))}
    </form>
  );
}
