import * as z from 'zod';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The schema of what responses show: a member with a default is always there, so it is required and its default says nothing.
 * The generator describes what may be sent.
 *
 * @param described what the generator made of the schema
 */
export function shownOf(described: Schema, schema: z.ZodType): Schema {
  const options = { io: 'output', unrepresentable: 'any', reused: 'inline' } as const;
  return completed(described, z.toJSONSchema(schema, options) as Schema);
}

function completed(described: Schema, output: Schema): Schema {
  const { default: _, ...rest } = described;
  const branches = [output, ...((output.anyOf ?? []) as readonly Schema[])];
  const { properties: shown, required } = branches.find(({ properties }) => properties) ?? {};
  const members = (rest.properties ?? {}) as Readonly<Record<string, Schema>>;
  const outputs = (shown ?? {}) as Readonly<Record<string, Schema>>;
  return {
    ...rest,
    ...(rest.properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(members).map(([name, one]) => [name, completed(one, outputs[name] ?? {})]),
      ),
    }),
    ...(rest.properties !== undefined && required !== undefined && { required }),
  };
}

/** The names of the components that a value refers to, directly or through others. */
export function referredTo(
  value: unknown,
  components: Readonly<Record<string, unknown>>,
  found: Set<string> = new Set(),
): Set<string> {
  JSON.stringify(value, (key, member) => {
    const name = key === '$ref' ? String(member).replace('#/components/schemas/', '') : '';
    if (Object.hasOwn(components, name) && !found.has(name)) {
      found.add(name);
      referredTo(components[name], components, found);
    }
    return member;
  });
  return found;
}
