import type { Selection } from '../../db/feed-properties.ts';

/** What the parameters of a feed determine in every format, in addition to what its document shows. */
export interface FeedParameters extends Selection {
  /** Whether the feed is ordered by listing date. */
  readonly listingDate: boolean;
}

export type Category = Selection['category'];

/** A type of value: what is allowed, how to parse it, and the canonical text of each value. */
export interface ValueType<Value> {
  readonly allowed: string;
  /** `undefined` if the text is not an allowed value. */
  parse(text: string): Value | undefined;
  format(value: Value): string;
}

/** Everything that parsing, cache keys and the documentation need to know about a parameter, apart from its effect in words. */
export interface Parameter<Value> {
  /** As the specification spells it; requests may use any letter case. */
  readonly name: string;
  readonly type: ValueType<Value>;
  readonly default: Value;
}

export const FLAG: ValueType<boolean> = oneOf<boolean>('TRUE, FALSE', { TRUE: true, FALSE: false });
export const CATEGORY = oneOf<Category>('SALE, RENT, All', { SALE: 'SALE', RENT: 'RENT', ALL: 'All' });

export const PICTURES: ValueType<number> = {
  allowed: '0 to 999',
  parse: (text) => (/^\d{1,3}$/.test(text) ? Number(text) : undefined),
  format: String,
};

export const COUNT: ValueType<number> = {
  allowed: '1 or greater',
  parse: (text) => (/^0*[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
  format: String,
};

/** Codes in ascending order, each once: their order in a request does not matter. */
export function languageList(allowed: string, codes: readonly number[]): ValueType<readonly number[]> {
  return {
    allowed: `${allowed}, separated by commas`,
    parse: (text) => {
      const given = text.split(',').map((code) => (/^\d{1,2}$/.test(code.trim()) ? Number(code) : 0));
      if (given.some((code) => !codes.includes(code))) return undefined;
      return [...new Set(given)].sort((a, b) => a - b);
    },
    format: (given) => given.join(','),
  };
}

/** The parameter with the languages of a feed, in every format: the only one that may be repeated. */
export const LANGUAGE = 'Language';

/** How a request pages or selects. */
export interface Paging {
  /** Records of a page, of which the feed must have fewer; `null` if there is no limit. */
  readonly limit: number | null;
  readonly page: number;
  /** Whether a single record is requested. */
  readonly hasReference: boolean;
}

/** An invalid parameter of a request: its name, and what is wrong with it. */
export interface ParameterError {
  readonly parameter: string;
  readonly reason: string;
  /** Whether the format does not have this parameter. */
  readonly unsupported?: boolean;
}

/** The parameters that identify the reader, in every format. */
export const CREDENTIAL_PARAMETERS = ['U', 'P'] as const;

/** The known parameters of a query as text, by the names of the specification; empty ones count as absent. */
export type GivenParameters = Readonly<Record<string, string | undefined>>;

/** The spelling of each known name, by the name in lower case. */
export type Spellings = ReadonlyMap<string, string>;

export function spellingsOf(names: readonly string[]): Spellings {
  return new Map([...CREDENTIAL_PARAMETERS, ...names].map((name) => [name.toLowerCase(), name]));
}

/**
 * Picks the known parameters from a query: names in any letter case, empty and blank values as absent. Only Language may
 * be repeated; its values are joined.
 */
export function pickParameters(
  query: URLSearchParams,
  spellings: Spellings,
): { given: GivenParameters; errors: ParameterError[] } {
  const given: Record<string, string> = {};
  const repeated = new Set<string>();
  for (const [key, value] of query) {
    const name = spellings.get(key.toLowerCase());
    if (name === undefined || value.trim() === '') continue;
    const before = given[name];
    if (before === undefined) given[name] = value;
    else if (name === LANGUAGE) given[name] = `${before},${value}`;
    else repeated.add(name);
  }
  return { given, errors: [...repeated].map((parameter) => ({ parameter, reason: 'is given more than once' })) };
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
  if (value === undefined) errors.push(notAllowed(name, text, type.allowed));
  return value;
}

/**
 * The name of a parameter set in cache keys: equal for equal sets, different for all others, under 200 ASCII characters
 * without a comma, and readable as the query that it stands for.
 */
export function nameOfSet(values: readonly (readonly [Pick<Parameter<unknown>, 'name' | 'type'>, unknown])[]): string {
  return values
    .flatMap(([{ name, type }, value]) => {
      if (typeof value === 'boolean') return value ? [name] : [];
      return [`${name}=${type.format(value).replaceAll(',', '.')}`];
    })
    .join('&');
}

/** The error of a value that is not allowed; it shows at most 60 characters of the value. */
export function notAllowed(parameter: string, value: string, allowed: string): ParameterError {
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return { parameter, reason: `is '${shown}'; allowed: ${allowed}` };
}

export function oneOf<Value>(allowed: string, values: Readonly<Record<string, Value>>): ValueType<Value> {
  const byText = new Map(Object.entries(values));
  return {
    allowed,
    // Only ASCII letters, because some other letters have an ASCII letter as their capital.
    parse: (text) => byText.get(text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())),
    format: (value) => (typeof value === 'boolean' ? String(value).toUpperCase() : String(value)),
  };
}
