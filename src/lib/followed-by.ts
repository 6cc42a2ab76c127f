/** Items, each of which is dropped once it is read, and then the rest. A reader that stops early ends the rest as well. */
export async function* followedBy<Item, End>(first: Item[], rest: AsyncGenerator<Item, End>) {
  try {
    for (let item = first.shift(); item !== undefined; item = first.shift()) yield item;
    return yield* rest;
  } finally {
    await rest.return(undefined as never);
  }
}
