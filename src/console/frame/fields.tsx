import type { Child } from 'hono/jsx';
import { type Field, Input, Submit } from './form.tsx';
import { Button, Card } from './parts.tsx';

interface FieldsProps<Name extends string> {
  /** By name, in their order; without those that are undefined. */
  readonly fields: { readonly [Key in Name]?: Field | undefined };
  /** A label by the name of each field, and hints by the same with `Hint`. */
  readonly texts: NoInfer<Readonly<Record<Name, string>> & { readonly [Hint in `${Name}Hint`]?: string }>;
  readonly values?: NoInfer<Readonly<Partial<Record<Name, string | undefined>>>> | undefined;
  /** What is wrong with the values. */
  readonly errors?: NoInfer<Readonly<Partial<Record<Name, string | undefined>>>> | undefined;
}

/** The fields of a form with their labels and hints, and what is wrong at each. */
export function Fields<Name extends string>({ fields, ...given }: FieldsProps<Name>) {
  const { texts, values, errors } = given as Record<keyof typeof given, Record<string, string> | undefined>;
  return (
    <>
      {Object.entries<Field | undefined>(fields).map(
        ([name, field]) =>
          field && (
            <Input
              value={values?.[name]}
              {...field}
              {...{ name, label: texts?.[name], hint: texts?.[`${name}Hint`], error: errors?.[name] }}
            />
          ),
      )}
    </>
  );
}

interface FormCardProps<Name extends string>
  extends Omit<Parameters<typeof Submit>[0], 'children' | 'title'>,
    Partial<FieldsProps<Name>> {
  readonly title: string;
  readonly action: string;
  readonly enctype?: 'multipart/form-data';
  /** The text of the button. */
  readonly submit: string;
  /** The value of the button, if the form is one of several that are sent to the same path. */
  readonly does?: string;
  /** What stands before the fields. */
  readonly children?: Child;
}

/** A form in a card of its own; other properties are those of its end. */
export function FormCard<Name extends string>(props: FormCardProps<Name>) {
  const { title, action, enctype, submit, does, children, fields, texts, values, errors, ...end } = props;
  return (
    <Card title={title}>
      <form method="post" action={action} enctype={enctype} class="stack close">
        {children}
        {fields && texts && <Fields fields={fields} texts={texts} values={values} errors={errors} />}
        <Submit {...end} {...(does !== undefined && { name: 'do', value: does })}>
          {submit}
        </Submit>
      </form>
    </Card>
  );
}

interface ButtonFormProps {
  readonly action: string;
  /** What each does, what it says, and how it looks. */
  readonly buttons: readonly (readonly [does: string, text: string, kind?: 'primary' | 'danger'])[];
  /** What stands before them. */
  readonly children?: Child;
}

/** Buttons that do something at once. */
export function ButtonForm({ action, buttons, children }: ButtonFormProps) {
  return (
    <form method="post" action={action} class="actions">
      {children}
      {buttons.map(([does, text, kind]) => (
        <Button name="do" value={does} {...(kind && { kind })}>
          {text}
        </Button>
      ))}
    </form>
  );
}
