import { AsyncLocalStorage } from 'node:async_hooks';
import { violate } from './limits/violation.ts';

/** The invocation that runs; none in the code of a test. */
const running = new AsyncLocalStorage<object>();

/** Runs code as part of an invocation, with everything that it starts. */
export function runAs<Value>(owner: object, code: () => Value): Value {
  return running.run(owner, code);
}

/**
 * Checks that an object that belongs to the I/O of an invocation is used by this invocation. workerd throws `Cannot perform
 * I/O on behalf of a different request` for it, or never settles a promise; in tests, all requests share one context.
 *
 * @throws PlatformViolation
 */
export function checkOwner(owner: object, what: string): void {
  const user = running.getStore();
  if (user !== undefined && user !== owner) violate(`${what} of one request is used by another`);
}

/** A promise of a binding, which only its own invocation may await. */
export class OwnedPromise<Value> extends Promise<Value> {
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  #check = () => {};

  static of<Value>(owner: object, what: string, promise: Promise<Value>): OwnedPromise<Value> {
    const owned = new OwnedPromise<Value>((resolve) => resolve(promise));
    owned.#check = () => checkOwner(owner, what);
    return owned;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` calls it, and so shows who awaits
  override then<A = Value, B = never>(
    fulfilled?: ((value: Value) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#check();
    return super.then(fulfilled, rejected);
  }
}
