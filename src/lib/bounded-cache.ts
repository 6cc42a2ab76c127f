import { LRUCache } from 'lru-cache';

/** Bytes that an entry takes besides its key and its value. */
const ENTRY_BYTES = 150;

interface Bounds<Value> {
  /** Maximum memory of all entries together. */
  readonly maxBytes: number;
  /** Roughly what a value takes: one figure if all of them take about the same. */
  readonly valueBytes: number | ((value: Value) => number);
  /** Computes the value of a key for `memo()`. */
  readonly compute?: (key: string) => Value;
}

/**
 * A cache of the most recently used entries. It is bounded by bytes, keys included, since a number
 * of entries would not bound its memory: keys contain texts that callers send. An entry that is
 * larger than the whole cache is not stored.
 */
export function boundedCache<Value extends {}>({ maxBytes, valueBytes, compute }: Bounds<Value>) {
  const bytesOf = typeof valueBytes === 'number' ? () => valueBytes : valueBytes;
  return new LRUCache<string, Value>({
    // Without `max`: that would allocate room for all entries at once, and took the Worker's start
    // several milliseconds.
    maxSize: maxBytes,
    // V8 takes two bytes a character if one of them is not Latin.
    sizeCalculation: (value, key) => ENTRY_BYTES + 2 * key.length + bytesOf(value),
    ...(compute && { memoMethod: compute }),
  });
}
