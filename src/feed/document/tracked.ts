/** Called once a body has been taken completely, with its bytes, or once it was aborted, with `null`. */
export type Ended = (bytes: number | null) => void;

/** A body that reports whether its reader has taken it completely. The runtime passes on the bytes without JavaScript. */
export function tracked(
  body: ReadableStream<Uint8Array> | Uint8Array,
  length: number,
  ended: Ended,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new FixedLengthStream(length);
  const sent = body instanceof Uint8Array ? write(body, writable) : body.pipeTo(writable);
  sent.then(
    () => ended(length),
    () => ended(null),
  );
  return readable;
}

async function write(bytes: Uint8Array, writable: WritableStream<Uint8Array>): Promise<void> {
  const writer = writable.getWriter();
  await writer.write(bytes);
  await writer.close();
}
