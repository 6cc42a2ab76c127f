import { Background } from './background.ts';
import { Connections } from './connections.ts';
import type { KvLocation } from './kv-consistency.ts';
import { checkOwner, OwnedPromise, runAs } from './ownership.ts';
import { StrictDatabase } from './strict-database.ts';
import { StrictKv } from './strict-kv.ts';
import { noUsage } from './usage.ts';

/** The bindings that have limits. */
interface Bindings {
  readonly DB: D1Database;
  readonly SNAPSHOTS: KVNamespace;
}

/** One request, or one run of a schedule, within the limits of the deployed platform, which workerd does not enforce. */
export class Invocation {
  readonly usage = noUsage();
  readonly connections = new Connections();
  readonly background: Background;

  /** Whether rows read are counted for every statement, which runs some of them twice. */
  readonly countsRows: boolean;
  readonly #location: KvLocation;

  /** @param location where it runs */
  constructor(location: KvLocation, countsRows = false) {
    this.#location = location;
    this.countsRows = countsRows;
    this.background = new Background(location.network.now);
  }

  /** The same bindings, within the limits. */
  bindings<Given extends Bindings>(given: Given): Given {
    const strict = Object.entries(given).flatMap(([name, binding]) =>
      /^DB(_\d+)?$/.test(name)
        ? [[name, new StrictDatabase(binding as D1Database, this)] as const]
        : [],
    );
    const SNAPSHOTS = new StrictKv(given.SNAPSHOTS, this, this.#location) as unknown as KVNamespace;
    return { ...given, ...Object.fromEntries(strict), SNAPSHOTS };
  }

  /** Runs code as this invocation. */
  run<Value>(code: () => Value): Value {
    return runAs(this, code);
  }

  /** An operation of a binding: it takes a connection, and belongs to this invocation. */
  use<Value>(what: string, operation: () => Promise<Value>): Promise<Value> {
    return this.useAndHold(what, async (close) => {
      try {
        return await operation();
      } finally {
        close();
      }
    });
  }

  /** The same, for an operation that closes its connection itself unless it fails. */
  useAndHold<Value>(
    what: string,
    operation: (close: () => void) => Promise<Value>,
  ): Promise<Value> {
    const start = async () => {
      checkOwner(this, what);
      this.background.check(what);
      const close = await this.connections.open();
      try {
        return await operation(close);
      } catch (error) {
        close();
        throw error;
      }
    };
    return OwnedPromise.of(this, `The promise of ${what}`, start());
  }
}
