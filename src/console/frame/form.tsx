import type { Child, JSX } from 'hono/jsx';
import { useGuest } from '../visit.ts';
import { Icon } from './icon.tsx';
import { Button, ButtonLink } from './parts.tsx';

export type Options = readonly (readonly [value: string, text: string])[];

interface FieldProps {
  readonly name: string;
  readonly label: Child;
  readonly hint?: Child;
  /** What is wrong with the value, or what it is now; it stands at the field. */
  readonly error?: string | undefined;
  /** Whether the field takes the whole width. */
  readonly wide?: boolean;
  readonly autofocus?: boolean;
}

type InputProps = JSX.IntrinsicElements['input'] & {
  readonly field: FieldProps;
  /** What to choose one of. */
  readonly options?: Options | undefined;
  /** How many lines a text has room for, if it may have several. */
  readonly rows?: number | undefined;
};

/** A labelled input, a choice, or a text of several lines; other properties are those of the element. */
export function Input({ field, options, rows, value, ...attributes }: InputProps) {
  const { name, label, hint, error, wide = false, autofocus } = field;
  const ids = [error !== undefined && `${name}-error`, hint !== undefined && `${name}-hint`].filter(Boolean);
  const given = {
    id: name,
    name,
    'aria-describedby': ids.join(' ') || undefined,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
    ...(autofocus && { autofocus }),
  };
  const input = <input {...attributes} value={value} {...given} />;
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
      {choice ?? lines ?? input}
      <Notes id={name} hint={hint} error={error} />
    </div>
  );
}

/** What is wrong with a field, and what it is for. */
function Notes({ id, hint, error }: { readonly id: string | undefined } & Pick<FieldProps, 'hint' | 'error'>) {
  return (
    <>
      {error !== undefined && (
        <span class="error" id={id && `${id}-error`}>
          {error}
        </span>
      )}
      {hint !== undefined && (
        <span class="hint" id={id && `${id}-hint`}>
          {hint}
        </span>
      )}
    </>
  );
}

export function OptionList({ options, value }: { readonly options: Options; readonly value: string }) {
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

type ChoiceProps = JSX.IntrinsicElements['input'] & {
  readonly name: string;
  readonly checked: boolean;
  readonly children: Child;
};

/** A box to tick; other properties are those of the element. */
export function Choice({ name, value = '1', checked, children, ...attributes }: ChoiceProps) {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value={value} checked={checked} {...attributes} />
      <span>{children}</span>
    </label>
  );
}

interface ChoicesProps {
  readonly legend: Child;
  readonly children: Child;
  readonly hint?: Child;
  readonly error?: string | undefined;
  /** Needed with an error. */
  readonly id?: string;
}

/** A field with boxes to tick. */
export function Choices({ legend, children, hint, error, id }: ChoicesProps) {
  return (
    <fieldset class="field wide" aria-describedby={error && `${id}-error`}>
      <legend>{legend}</legend>
      <div class="choices">{children}</div>
      <Notes id={id} hint={hint} error={error} />
    </fieldset>
  );
}

interface SubmitProps {
  /** The path to go back to. */
  readonly cancel?: string;
  readonly children: Child;
  /** Further buttons. */
  readonly more?: Child;
}

/** The end of a form: the button that sends it, and the way back. Other properties are those of the button. */
export function Submit({
  cancel,
  children,
  more,
  ...button
}: SubmitProps & Omit<Parameters<typeof Button>[0], 'children'>) {
  return (
    <div class="actions">
      <Button kind="primary" {...button}>
        {children}
      </Button>
      {cancel && <ButtonLink href={cancel}>{useGuest().texts.cancel}</ButtonLink>}
      {more}
    </div>
  );
}

/** A field to search; its label is its placeholder. Other properties are those of the element. */
export function Search({
  name,
  label,
  ...attributes
}: { name: string; label: string } & JSX.IntrinsicElements['input']) {
  return (
    <div class="search">
      <label for={name} class="away">
        {label}
      </label>
      <Icon name="search" />
      <input id={name} name={name} type="search" placeholder={label} {...attributes} />
    </div>
  );
}

/** Values that nobody types in. */
export function Hidden({ values }: { readonly values: Readonly<Record<string, string | readonly string[]>> }) {
  return (
    <>
      {Object.entries(values).flatMap(([name, value]) =>
        [value].flat().map((one) => <input type="hidden" name={name} value={one} />),
      )}
    </>
  );
}

/** The form that deletes something, which has to be confirmed. */
export function Deletion({ why, action }: { readonly why: string; readonly action: string }) {
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
