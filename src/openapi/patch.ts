type Schema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of a merge patch (RFC 7396) of what a schema describes: each member of each object may be left out. One
 * that is not required may be null, to have its default.
 */
export function patchOf(schema: Schema): Schema {
  const { required = [], default: _, properties, anyOf, ...rest } = schema;
  const needed = new Set(required as readonly string[]);
  const members = Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>);
  return {
    ...rest,
    ...(anyOf !== undefined && { anyOf: (anyOf as readonly Schema[]).map(patchOf) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        members.map(([name, member]) => {
          const patch = patchOf(member);
          return [name, needed.has(name) ? patch : orNull(patch)];
        }),
      ),
    }),
  };
}

function orNull(schema: Schema): Schema {
  const { type, enum: values } = schema;
  if (type === undefined) return schema.$ref === undefined ? schema : { anyOf: [schema, NULL] };
  const types = [type].flat();
  if (types.includes('null')) return schema;
  return {
    ...schema,
    type: [...types, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

const NULL = { type: 'null' };
