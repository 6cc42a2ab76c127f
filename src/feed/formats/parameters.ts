import { type CodedMessage, inEnglish, message } from '../../messages/messages.ts';
import type { Filter, Selection } from '../../readers/selection.ts';
import WORDS from './parameters.json' with { type: 'json' };

/** What the parameters of every format determine: which properties a feed has, and in which order. */
export interface FeedParameters extends Selection {
  readonly listingDate: boolean;
  /** Whether it has short-term rentals. */
  readonly shortTerm: boolean;
}

/** Which values a parameter allows, in words, and as fields of forms and the description of the API need it. */
export type AllowedValues = { readonly words: CodedMessage } & (
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** `most` is `null` if there is no limit. */
  | { readonly kind: 'integer'; readonly least: number; readonly most: number | null }
  /** Integers, each once, separated by commas. */
  | { readonly kind: 'list'; readonly least: number; readonly most: number }
  | { readonly kind: 'text' | 'none' }
);

/** A type of value: what is allowed, how to parse it, and the canonical text of each value. */
interface ValueType<Value> {
  readonly allowed: AllowedValues;
  /** `undefined` if the text is not an allowed value. */
  parse(text: string): Value | undefined;
  format(value: Value): string;
}

interface Words {
  /** What forms call a parameter, in English; the console has it in its other languages. */
  readonly label: string;
  /** What it does, as the beginning of a sentence without its full stop. */
  readonly effect: string;
}

/** Everything that parsing, cache keys, the documentation and the console need to know about a parameter. */
export interface Parameter<Value> extends Words {
  /** As the specification spells it; requests may use any letter case. */
  readonly name: string;
  readonly type: ValueType<Value>;
  readonly default: Value;
  /** If it differs in version 3 of the feed: another default, or one value whatever is requested. */
  readonly version3?: { readonly default: Value } | { readonly always: Value };
}

/** A parameter that is about the request, not the feed: it has no label, since no preset has it. */
export interface FurtherParameter extends Pick<Parameter<unknown>, 'name' | 'effect'> {
  readonly type: Pick<ValueType<unknown>, 'allowed'>;
}

/** A choice between values, each with the text that it has in requests, in any letter case. */
export function choice<Value>(values: Readonly<Record<string, Value>>): ValueType<Value> {
  const texts = Object.entries(values);
  const choices = Object.keys(values);
  const byText = new Map(texts.map(([text, value]) => [upperCase(text), value]));
  return {
    allowed: { kind: 'choice', choices, words: message('words', { choices }) },
    parse: (text) => byText.get(upperCase(text)),
    format: (value) => texts.find(([, other]) => other === value)![0],
  };
}

/** Only of ASCII letters, because some other letters have an ASCII letter as their capital. */
function upperCase(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** An integer within limits, which its form in requests must guarantee. */
function integer(least: number, most: number | null, form: RegExp): ValueType<number> {
  return {
    allowed: {
      kind: 'integer',
      least,
      most,
      words: most === null ? message('or_greater', { least }) : message('range', { least, most }),
    },
    parse: (text) => (form.test(text) ? Number(text) : undefined),
    format: String,
  };
}

/** A text of a form, which states its length and excludes commas and `&`. */
export function pattern(form: RegExp, words: CodedMessage): ValueType<string> {
  return {
    allowed: { kind: 'text', words },
    parse: (text) => (form.test(text) ? text : undefined),
    format: (value) => value,
  };
}

/**
 * Codes in ascending order, each once: their order in a request does not matter.
 *
 * @param codes ascending
 * @param ignored codes that a request may have and that make no difference
 */
export function list(
  codes: readonly number[],
  ignored: readonly number[] = [],
): ValueType<readonly number[]> {
  const least = Math.min(...codes);
  const most = Math.max(...codes);
  return {
    allowed: { kind: 'list', least, most, words: message('codes', { least, most }) },
    parse: (text) => {
      const given = text
        .split(',')
        .map((code) => (/^\d{1,2}$/.test(code.trim()) ? Number(code) : 0));
      if (given.some((code) => !codes.includes(code) && !ignored.includes(code))) return undefined;
      return codes.filter((code) => given.includes(code));
    },
    format: (given) => given.join(','),
  };
}

const FLAG = choice({ TRUE: true, FALSE: false });
export const CATEGORY = choice<Selection['category']>({ SALE: 'SALE', RENT: 'RENT', All: 'All' });
export const PICTURES = integer(0, 999, /^\d{1,3}$/);
export const COUNT = integer(1, null, /^0*[1-9]\d{0,8}$/);

/** The parameters of a format, with the words about them, which `parameters.json` in the format's folder has. */
export function parametersOf<Name extends string>(words: Readonly<Record<Name, Words>>) {
  const parameter = <Value>(name: Name, type: ValueType<Value>, value: Value): Parameter<Value> => {
    return { name, type, default: value, ...words[name] };
  };
  const flag = (name: Name) => parameter(name, FLAG, false as boolean);
  return { parameter, flag };
}

const { flag } = parametersOf(WORDS);

/** The parameters that leave out properties, in every format: one for each such field of a selection. */
export const FILTERS: Readonly<Record<Filter, Parameter<boolean>>> = {
  onWebsites: flag('NW'),
  withoutRented: flag('ExRented'),
  availableOnly: flag('OnlyAvailable'),
};

/** The parameter with the languages of a feed, in every format: the only one that may be repeated. */
export const LANGUAGE = 'Language';

export interface Paging {
  /** Records of a page; the feed must have fewer. `null` if there is no limit. */
  readonly limit: number | null;
  /** Whether it asks for the first page; the others are empty. */
  readonly isFirstPage: boolean;
  /** Whether a single record is requested. */
  readonly hasReference: boolean;
}

export interface ParameterError {
  readonly parameter: string;
  readonly problem: CodedMessage;
  /** Whether the format does not have this parameter. */
  readonly unsupported?: boolean;
}

/** The errors as sentences. */
export function sentences(errors: readonly ParameterError[]): string {
  return errors.map(({ parameter, problem }) => `${parameter} ${inEnglish(problem)}.`).join(' ');
}

/** The known parameters of a query as text, by the names of the specification; empty ones count as absent. */
export type GivenParameters = Readonly<Record<string, string | undefined>>;

/** The spelling of each known name, by the name in lower case. All formats know the names of the reader's credentials. */
export function spellingsOf(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(['U', 'P', ...names].map((name) => [name.toLowerCase(), name]));
}

/**
 * Picks the known parameters from a query: names in any letter case, and after `&amp;`, as in a URL that is copied from HTML or
 * XML; empty and blank values as absent. Only Language may be repeated; its values are joined.
 */
export function pickParameters(query: URLSearchParams, spellings: ReadonlyMap<string, string>) {
  const given: Record<string, string> = {};
  const repeated = new Set<string>();
  for (const [key, value] of query) {
    const name = spellings.get(key.toLowerCase().replace(/^amp;/, ''));
    if (name === undefined || value.trim() === '') continue;
    const before = given[name];
    if (before === undefined) given[name] = value;
    else if (name === LANGUAGE) given[name] = `${before},${value}`;
    else repeated.add(name);
  }
  const errors = [...repeated].map((parameter) => ({
    parameter,
    problem: message('repeated_parameter'),
  }));
  return { given: given as GivenParameters, errors };
}

/** The value of a parameter; `undefined` if it is absent, or invalid, which is then an error. */
export function readValue<Value>(
  { name, type }: Pick<Parameter<Value>, 'name' | 'type'>,
  given: GivenParameters,
  errors: ParameterError[],
): Value | undefined {
  const text = given[name];
  if (text === undefined) return undefined;
  const value = type.parse(text.trim());
  if (value === undefined) errors.push(notAllowed(name, text, type.allowed.words));
  return value;
}

/** The error of a value, which it shows up to the 60th character. */
export function notAllowed(
  parameter: string,
  value: string,
  allowed: CodedMessage,
): ParameterError {
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return { parameter, problem: message('not_allowed', { value: shown, allowed }) };
}

/** What a format does with the parameters of a request. */
export interface ParameterSet<Parameters extends FeedParameters> {
  /** Every parameter except the credentials, in its own spelling; all others are ignored. */
  readonly parameterNames: readonly string[];
  /** The parameters that decide which bytes a feed has: a reader's preset may contain them. */
  readonly feedParameters: readonly Parameter<unknown>[];
  /** The parameters of a feed, with the default instead of each invalid value. */
  parse(given: GivenParameters): {
    readonly parameters: Parameters;
    readonly paging: Paging;
    readonly errors: readonly ParameterError[];
  };
  /**
   * The name of a parameter set in cache keys: equal for equal sets, different for all others, in ASCII characters without a
   * comma, and readable as a query.
   */
  canonicalName(parameters: Parameters): string;
}

type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Parameter<infer Value> ? Value : never;
};

interface Differences<Parameters> {
  /** Names of other parameters, which `parsePaging` reads. */
  readonly others?: readonly string[];
  parsePaging?(given: GivenParameters, errors: ParameterError[]): Paging;
  /** Names of parameters of other formats: a request that has one expects what this format does not have. */
  readonly refused?: readonly string[];
  readonly refusal?: CodedMessage;
  /** Gives parameters that make no difference one value, and adds the errors of values that contradict each other. */
  normalize?(parameters: Parameters, errors: ParameterError[]): Parameters;
}

const COMPLETE: Paging = { limit: null, isFirstPage: true, hasReference: false };

/** The parameters of a format, from a table of the ones that a feed's bytes depend on. */
export function declareParameters<Table extends Readonly<Record<string, unknown>>>(
  table: Table,
  differences: Differences<FeedParameters & ValuesOf<Table>> = {},
): ParameterSet<FeedParameters & ValuesOf<Table>> {
  const {
    others = [],
    refused = [],
    refusal = message('unknown_parameter'),
    parsePaging,
    normalize,
  } = differences;
  const rows = Object.entries(table) as [string, Parameter<unknown>][];
  return {
    parameterNames: [...rows.map(([, { name }]) => name), ...others, ...refused],
    feedParameters: rows.map(([, row]) => row),
    parse(given) {
      const errors: ParameterError[] = refused.flatMap((parameter) =>
        given[parameter] === undefined ? [] : [{ parameter, problem: refusal, unsupported: true }],
      );
      const isVersion3 = given.FV?.trim() === '3';
      const values = rows.map(([field, row]) => {
        const value = readValue(row, given, errors);
        const version3 = isVersion3 ? row.version3 : undefined;
        if (version3 !== undefined && 'always' in version3) return [field, version3.always];
        return [field, value ?? version3?.default ?? row.default];
      });
      const usual = { listingDate: false, shortTerm: true };
      // The entries are those of the table, each with a value of its row's type.
      const parsed: FeedParameters & ValuesOf<Table> = { ...usual, ...Object.fromEntries(values) };
      const parameters = normalize?.(parsed, errors) ?? parsed;
      return { parameters, paging: parsePaging?.(given, errors) ?? COMPLETE, errors };
    },
    canonicalName: (parameters) =>
      rows
        .flatMap(([field, { name, type }]) => {
          const value: unknown = parameters[field as keyof typeof parameters];
          if (value === '' || value === false) return [];
          return value === true ? [name] : [`${name}=${type.format(value).replaceAll(',', '.')}`];
        })
        .join('&'),
  };
}
