/** A database with these methods instead of its own. */
export function withMethods(db: D1Database, methods: Readonly<Record<string, unknown>>): D1Database {
  return new Proxy(db, {
    get(target, name) {
      const value = methods[String(name)] ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
