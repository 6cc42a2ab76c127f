type Schema = Readonly<Record<string, unknown>>;

/**
 * The schema of what may be sent with its defaults in words: many generators of clients take a member with a default for one that
 * must be there.
 */
export function withDefaultsInWords(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(inWords(schema)).map(([key, value]) => {
      if (key === 'properties') return [key, mapped(value as Readonly<Record<string, Schema>>)];
      if (key === 'items') return [key, withDefaultsInWords(value as Schema)];
      const isList = key === 'anyOf' || key === 'oneOf' || key === 'allOf';
      return [key, isList ? (value as readonly Schema[]).map(withDefaultsInWords) : value];
    }),
  );
}

function mapped(properties: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  const entries = Object.entries(properties);
  return Object.fromEntries(entries.map(([name, one]) => [name, withDefaultsInWords(one)]));
}

function inWords({ default: value, ...schema }: Schema): Schema {
  // That a value may be left out, and null stands for none, needs no words.
  if (value === undefined || value === null) return schema;
  const words = `By default ${JSON.stringify(value)}.`;
  const { description } = schema;
  const isSaid = typeof description === 'string' && /default/i.test(description);
  return isSaid
    ? schema
    : { ...schema, description: [description, words].filter(Boolean).join(' ') };
}
