import type { Child, JSX } from 'hono/jsx';

interface FieldProps {
  readonly name: string;
  readonly label: Child;
  readonly hint?: Child;
  /** What is wrong with the value, or what it is now; it stands at the field. */
  readonly error?: string | undefined;
  /** Whether the field takes the whole width. */
  readonly wide?: boolean;
}

/** What an input says about its field: its id, and the texts that describe it. */
function describing({ name, hint, error }: FieldProps) {
  const ids = [...(error === undefined ? [] : [`${name}-error`]), ...(hint === undefined ? [] : [`${name}-hint`])];
  return {
    id: name,
    name,
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
    'aria-invalid': error === undefined ? undefined : ('true' as const),
  };
}

function Frame({ field, children }: { readonly field: FieldProps; readonly children: Child }) {
  const { name, label, hint, error, wide = false } = field;
  return (
    <div class={wide ? 'field wide' : 'field'}>
      <label for={name}>{label}</label>
      {children}
      {error !== undefined && (
        <span class="error" id={`${name}-error`}>
          {error}
        </span>
      )}
      {hint !== undefined && (
        <span class="hint" id={`${name}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

/** A labelled input; other properties are those of the element. */
export function TextField({ field, ...attributes }: { readonly field: FieldProps } & JSX.IntrinsicElements['input']) {
  return (
    <Frame field={field}>
      <input {...attributes} {...describing(field)} />
    </Frame>
  );
}

/** A labelled text of several lines. */
export function TextArea({
  field,
  value,
  rows = 4,
  lang,
}: {
  readonly field: FieldProps;
  readonly value: string;
  readonly rows?: number;
  readonly lang?: string;
}) {
  return (
    <Frame field={field}>
      <textarea rows={rows} lang={lang} {...describing(field)}>
        {/* A line feed after the tag is not part of the text (HTML section 13.2.6.4.7). */}
        {`\n${value}`}
      </textarea>
    </Frame>
  );
}

export type Options = readonly (readonly [value: string, text: string])[];

/** A labelled choice of one among several. */
export function Select({
  field,
  value,
  options,
}: {
  readonly field: FieldProps;
  readonly value: string;
  readonly options: Options;
}) {
  return (
    <Frame field={field}>
      <select {...describing(field)}>
        <OptionList options={options} value={value} />
      </select>
    </Frame>
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

interface BoxProps {
  readonly name: string;
  readonly value?: string;
  readonly checked: boolean;
  readonly type?: 'checkbox' | 'radio';
  readonly required?: boolean;
  readonly describedBy?: string;
  readonly children: Child;
}

/** A box to tick, or one of several to choose from. */
export function Choice({ name, value = '1', checked, type = 'checkbox', required, describedBy, children }: BoxProps) {
  return (
    <label class="choice">
      <input
        type={type}
        name={name}
        value={value}
        checked={checked}
        required={required}
        aria-describedby={describedBy}
      />
      <span>{children}</span>
    </label>
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
