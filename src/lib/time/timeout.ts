/** Some work has not ended in time. */
export class Timeout extends Error {
  override readonly name = 'Timeout';
}

/**
 * The result of work that has to end in time, else a Timeout. The work itself is not stopped. The timer is cleared: while one
 * is pending, workerd does not send a stream without the Worker's help.
 */
export async function withTimeout<Value>(
  what: string,
  work: Promise<Value>,
  milliseconds: number,
): Promise<Value> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Timeout(`${what} has not responded within ${milliseconds} ms`)),
    milliseconds,
  );
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
