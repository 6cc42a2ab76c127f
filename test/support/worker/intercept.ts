/** A database, or a statement of one, with these methods instead of its own. */
export function withMethods<Of extends object>(
  db: Of,
  methods: Readonly<Record<string, unknown>>,
): Of {
  return new Proxy(db, {
    get(target, name) {
      const value = methods[String(name)] ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
