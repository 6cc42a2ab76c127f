/** The chunks joined in order. */
export function concatenate(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}

/** Items, each of which is dropped once it is read, and then the rest. A reader that stops early ends the rest as well. */
export async function* followedBy<Item, End>(
  first: Item[],
  rest: AsyncGenerator<Item, End>,
): AsyncGenerator<Item, End> {
  try {
    for (let item = first.shift(); item !== undefined; item = first.shift()) yield item;
    return yield* rest;
  } finally {
    await rest.return(undefined as never);
  }
}
