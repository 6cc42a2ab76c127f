import { LANGUAGE, type Parameter, type ParameterError } from '../../feed/formats/parameters.ts';
import { STORED_LANGUAGES } from '../../lib/languages.ts';
import { languageName } from '../format.ts';
import { Input } from '../frame/form.tsx';
import type { Language } from '../texts/language.ts';
import { inWords, textOf, textsOf, translated } from '../texts/texts.ts';
import { type FormState, useGuest, useTexts } from '../visit.ts';

type AnyParameter = Parameter<unknown> & { readonly version3?: object };

/** The parameters that a form has values for; several values are separated by commas. */
export function givenParameters(
  parameters: readonly AnyParameter[],
  fields: URLSearchParams,
): Record<string, string> {
  const given = parameters.map(({ name }) => {
    const value = fields.getAll(name).filter(Boolean).join(',');
    return [name, name === 'ContactPhone' ? bareNumber(value) : value];
  });
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** A telephone number as formats have it: of `+34 952 123 456`, the nine digits. */
function bareNumber(typed: string): string {
  return typed.replaceAll(/[\s().-]/g, '').replace(/^(\+|00)34(?=\d{9}$)/, '');
}

/** Parameters as a query; commas are easier to read unencoded. */
export function parametersText(given: Readonly<Record<string, string>>): string {
  return new URLSearchParams(given).toString().replaceAll('%2C', ',');
}

/** What is wrong with parameters, by their names. */
export function errorsByName(
  errors: readonly ParameterError[],
  language: Language,
): Record<string, string> {
  const texts: Readonly<Record<string, string>> = textsOf({ language }, 'feed').problems;
  const entries = errors.map(({ parameter, problem }) => [
    parameter,
    texts[parameter] ?? `${parameter} ${inWords(language, problem)}.`,
  ]);
  return Object.fromEntries(entries);
}

/** The values of a preset as a form of a format has them. */
export function presetValues(preset: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(preset));
}

interface FieldsProps {
  readonly form: FormState;
  readonly parameters: readonly AnyParameter[];
  /** Chosen values, by name. */
  readonly given: Readonly<Record<string, string | undefined>>;
  /** What applies without a choice, where it is not the format's default. */
  readonly preset: Readonly<Record<string, string>>;
}

/** What an agency chooses; the other parameters are for those who know the program that reads the feed. */
const USUAL = ['T', LANGUAGE, 'IC', 'CustomerCountry'];

/** Whether a parameter is for those who know formats. */
function isAdvanced({ name, type }: AnyParameter): boolean {
  return !USUAL.includes(name) && type.allowed.kind !== 'text';
}

/** Parameters of a format with labels; the advanced ones are behind a heading, with their names in requests. */
export function ParameterFields({ form, parameters, preset, ...chosen }: FieldsProps) {
  const { language } = useGuest();
  const texts = useTexts('feed');
  const { typed, errors } = form;
  const given = typed ? givenParameters(parameters, typed) : chosen.given;
  const isVersion3 = (given.FV ?? preset.FV) === '3';
  const fieldOf = (parameter: AnyParameter) => {
    const { name, type } = parameter;
    const { allowed } = type;
    const presetValue = preset[name];
    const value = valueText(parameter, presetValue ?? defaultOf(parameter, isVersion3), language);
    const usual = presetValue === undefined ? texts.usual({ value }) : texts.presetValue({ value });
    const label = translated(language, 'parameters', parameter.name, parameter).label;
    const hintOf = (...notes: readonly string[]) => {
      if (!isAdvanced(parameter)) return notes.length === 0 ? undefined : notes.join(' · ');
      return (
        <>
          <code>{name}</code>
          {notes.map((note) => ` · ${note}`).join('')}
        </>
      );
    };
    if (allowed.kind === 'list') {
      const options = languagesOf(parameter, language);
      const chosen = given[name]?.split(',') ?? [];
      return (
        <Input
          type="checkbox"
          name={name}
          label={label}
          options={options}
          chosen={chosen}
          hint={hintOf(usual)}
        />
      );
    }
    const field = { name, label, error: errors[name], value: given[name] ?? '' };
    if (allowed.kind === 'choice') {
      const choices = allowed.choices.filter((choice) => !(name === 'VT' && /^[TF]/.test(choice)));
      const options = choices.map(
        (choice) => [choice, valueText(parameter, choice, language)] as const,
      );
      return <Input {...field} hint={hintOf()} options={[['', usual], ...options]} />;
    }
    const note = presetValue === undefined ? textOf(texts.hints, name) : usual;
    if (allowed.kind === 'text') return <Input {...field} hint={hintOf(note)} />;
    const range = allowed.kind === 'integer' ? `${allowed.least}–${allowed.most ?? ''}` : undefined;
    return (
      <Input
        {...field}
        hint={hintOf(usual, texts.allPictures)}
        inputmode="numeric"
        placeholder={presetValue ?? range}
      />
    );
  };
  const advanced = parameters.filter(isAdvanced);
  const count = advanced.filter(({ name }) => given[name] !== undefined).length;
  return (
    <div class="stack">
      <div class="fields">{parameters.filter((one) => !isAdvanced(one)).map(fieldOf)}</div>
      {advanced.length > 0 && (
        <details open={advanced.some(({ name }) => errors[name])}>
          <summary>{texts.advanced({ count })}</summary>
          <div class="fields">{advanced.map(fieldOf)}</div>
        </details>
      )}
    </div>
  );
}

/** A value in words. */
export function valueText(parameter: AnyParameter, value: string, language: Language): string {
  const texts = textsOf({ language }, 'feed');
  if (parameter.type.allowed.kind === 'list') {
    const codes = value.split(/[,.]/);
    const chosen = languagesOf(parameter, language).filter(([code]) => codes.includes(code));
    return chosen.map(([, name]) => name).join(', ');
  }
  const plain = value === 'TRUE' ? texts.yes : value === 'FALSE' ? texts.no : value;
  return textOf(texts.options, `${parameter.name}.${value}`, plain);
}

/** The default, which may differ in version 3. */
function defaultOf({ type, default: usual, version3 }: AnyParameter, isVersion3: boolean): string {
  const [in3] = isVersion3 ? Object.values(version3 ?? {}) : [];
  return type.format(in3 ?? usual);
}

/** The codes that a list of languages can have, with the names of the languages. */
export function languagesOf({ type }: AnyParameter, language: Language) {
  const all = STORED_LANGUAGES.map(
    ({ code, element }) => [String(code), languageName(element, language)] as const,
  );
  return all.filter(([code]) =>
    (type.parse(code) as readonly number[] | undefined)?.includes(Number(code)),
  );
}
