import type { Child, JSX } from 'hono/jsx';
import { useGuest } from '../visit.ts';
import { Icon } from './icon.tsx';
import { Button, ButtonLink } from './parts.tsx';

export type Options = readonly (readonly [value: string, text: Child])[];

type Attributes = JSX.IntrinsicElements['input'];

/** A field of a form: what stands at it; other properties are those of the element. */
export type Field = Attributes & {
  readonly label?: Child;
  readonly hint?: Child;
  /** What is wrong with the value, or what it is now. */
  readonly error?: string | undefined;
  /** What to choose one of; with the type `checkbox`, any of. */
  readonly options?: Options | undefined;
  /** The options that are ticked. */
  readonly chosen?: readonly string[];
  /** How many lines a text has room for, if it may have several. */
  readonly rows?: number | undefined;
  /** Whether it takes the whole width. */
  readonly wide?: boolean;
};

/** A labelled input, a choice, a text of several lines, or a box, which is ticked unless the value is empty. */
export function Input(field: Field & { readonly name: string }) {
  const { name, label, hint, error, options, chosen, rows, wide, value, ...attributes } = field;
  const notes = [error !== undefined && `${name}-error`, hint !== undefined && `${name}-hint`].filter(Boolean);
  const given = {
    id: name,
    name,
    autofocus: attributes.autofocus,
    'aria-describedby': notes.join(' ') || undefined,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
  };
  const isBox = attributes.type === 'checkbox';
  if (isBox && options) return <Choices {...{ name, legend: label, options, chosen: chosen ?? [], hint, error }} />;
  if (isBox) {
    return (
      <div class={wide ? 'wide' : undefined}>
        <Choice {...given} checked={value !== ''}>
          {label}
        </Choice>
        <Notes id={name} hint={hint} error={error} />
      </div>
    );
  }
  const choice = options && (
    <select {...given}>
      <OptionList options={options} value={String(value ?? '')} />
    </select>
  );
  const lines = rows && (
    <textarea rows={rows} {...given}>
      {/* A line feed after the tag is not part of the text (HTML section 13.2.6.4.7). */}
      {`\n${value}`}
    </textarea>
  );
  return (
    <div class={wide ? 'field wide' : 'field'}>
      <label for={name}>{label}</label>
      {choice ?? lines ?? <input {...attributes} value={value} {...given} />}
      <Notes id={name} hint={hint} error={error} />
    </div>
  );
}

function Notes({ id, hint, error }: { id: string } & Pick<Field, 'hint' | 'error'>) {
  const note = (kind: 'error' | 'hint', text: Child) =>
    text !== undefined && (
      <span class={kind} id={`${id}-${kind}`}>
        {text}
      </span>
    );
  return (
    <>
      {note('error', error)}
      {note('hint', hint)}
    </>
  );
}

export function OptionList({ options, value }: { options: Options; value: string }) {
  return (
    <>
      {options.map(([option, text]) => (
        <option value={option} selected={option === value}>
          {text}
        </option>
      ))}
    </>
  );
}

/** A box to tick; other properties are those of the element. */
export function Choice({ name, value = '1', children, ...attributes }: Attributes & { readonly children: Child }) {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value={value} {...attributes} />
      <span>{children}</span>
    </label>
  );
}

interface ChoicesProps extends Pick<Field, 'hint' | 'error'> {
  readonly name: string;
  readonly legend: Child;
  readonly options: Options;
  readonly chosen: readonly string[];
}

/** A field with boxes to tick. */
export function Choices({ name, legend, options, chosen, hint, error }: ChoicesProps) {
  return (
    <fieldset class="field wide" aria-describedby={error && `${name}-error`}>
      <legend>{legend}</legend>
      <div class="choices">
        {options.map(([value, text]) => (
          <Choice name={name} value={value} checked={chosen.includes(value)}>
            {text}
          </Choice>
        ))}
      </div>
      <Notes id={name} hint={hint} error={error} />
    </fieldset>
  );
}

/** The path to go back to, and further buttons; other properties are those of the button that sends the form. */
type SubmitProps = Parameters<typeof Button>[0] & { cancel?: string; more?: Child };

/** The end of a form. */
export function Submit({ cancel, more, ...button }: SubmitProps) {
  return (
    <div class="actions">
      <Button kind="primary" {...button} />
      {cancel && <ButtonLink href={cancel}>{useGuest().texts.cancel}</ButtonLink>}
      {more}
    </div>
  );
}

interface FiltersProps {
  readonly action: string;
  readonly id?: string;
  /** A text to search for; its label is its placeholder. */
  readonly search?: { readonly name: string; readonly label: string };
  /** What to choose from; one with a single option is left out. */
  readonly choices: readonly (readonly [name: string, label: string, options: Options])[];
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly submit: string;
  /** Further fields, below. */
  readonly children?: Child;
}

/** The longest text that is searched for. */
export const MAX_SEARCH_LENGTH = 100;

/** The form above a list that says what it shows; where scripts run, a choice applies at once. */
export function Filters({ action, id, search, choices, values, submit, children }: FiltersProps) {
  return (
    <form action={action} id={id}>
      <div class="bar">
        {search && (
          <div class="search">
            <Icon name="search" />
            <input
              {...{ name: search.name, type: 'search', 'aria-label': search.label, placeholder: search.label }}
              {...{ value: values[search.name], maxlength: MAX_SEARCH_LENGTH }}
            />
          </div>
        )}
        {choices
          .filter(([, , options]) => options.length > 1)
          .map(([name, label, options]) => (
            <select name={name} aria-label={label} data-apply>
              <OptionList options={options} value={values[name] ?? ''} />
            </select>
          ))}
        <Button>{submit}</Button>
      </div>
      {children}
    </form>
  );
}

/** Values that nobody types in. */
export function Hidden({ values }: { values: Readonly<Record<string, string | readonly string[]>> }) {
  const pairs = Object.entries(values).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));
  return (
    <>
      {pairs.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** The form that deletes something, which has to be confirmed. */
export function Deletion({ why, action }: { why: string; action: string }) {
  const { texts } = useGuest();
  return (
    <form method="post" action={action} class="stack close">
      <p class="muted">{why}</p>
      <Choice name="sure" checked={false} required>
        {texts.sure}
      </Choice>
      <Submit kind="danger" name="do" value="delete">
        {texts.deleteIt}
      </Submit>
    </form>
  );
}
