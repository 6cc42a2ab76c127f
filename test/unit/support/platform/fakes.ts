import { afterEach } from 'vitest';
import { Invocation } from '../../../support/platform/invocation.ts';
import { KvNetwork } from '../../../support/platform/kv-consistency.ts';
import { takeViolations } from '../../../support/platform/violation.ts';

/** Rows that every statement of {@link database} returns. */
export type Rows = readonly Record<string, unknown>[];

/** A D1 database whose statements return these rows and say what they read and wrote. */
export function database(rows: Rows = [], meta = { rows_read: 3, rows_written: 2 }): D1Database {
  const statement = {
    bind: () => statement,
    all: async () => ({ results: rows, meta }),
    run: async () => ({ results: rows, meta }),
    raw: async () => rows.map((row) => Object.values(row)),
  };
  return {
    prepare: () => statement,
    batch: async (statements: unknown[]) => statements.map(() => ({ results: rows, meta })),
    exec: async () => ({ count: 1, duration: 0 }),
  } as unknown as D1Database;
}

/** A KV namespace in memory. */
export function namespace(): KVNamespace {
  const values = new Map<string, ArrayBuffer>();
  return {
    getWithMetadata: async (key: string, type: unknown) => {
      const value = values.get(key) ?? null;
      return { value: type === 'stream' && value !== null ? new Response(value).body : value, metadata: null };
    },
    put: async (key: string, value: string) =>
      void values.set(key, new TextEncoder().encode(value).buffer as ArrayBuffer),
    delete: async (key: string) => void values.delete(key),
    list: async () => ({ keys: [...values.keys()].map((name) => ({ name })) }),
  } as unknown as KVNamespace;
}

/** A platform whose time the test sets, and which reports its violations to the test alone. */
export function platform({ DB = database(), SNAPSHOTS = namespace() } = {}) {
  let time = 1_000_000;
  const network = new KvNetwork(() => time);
  const here = network.location();
  const invoke = (location = here, countsRows = false) => {
    const invocation = new Invocation(location, countsRows);
    return { invocation, ...invocation.bindings({ DB, SNAPSHOTS }) };
  };
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  return { network, here, invoke, pass };
}

/** Forgets the violations that the tests of a file provoke. */
export function expectViolations(): void {
  afterEach(() => {
    takeViolations();
  });
}
