/**
 * The parts of Node's modules that the Worker uses, as workerd provides them. The Worker is checked
 * without Node's own types, so that nothing of Node's compiles in it unless it is declared here.
 */

declare module 'node:async_hooks' {
  class AsyncLocalStorage<Store> {
    run<Result>(store: Store, run: () => Result): Result;
    getStore(): Store | undefined;
    static snapshot(): <Result>(run: () => Result) => Result;
  }
}

declare module 'node:buffer' {
  /** Only what the web standards do not offer, or only slower. */
  class Buffer extends Uint8Array {
    static from(bytes: ArrayBuffer | ArrayLike<number>): Buffer;
    static from(text: string, encoding?: 'base64' | 'base64url'): Buffer;
    static concat(chunks: readonly Uint8Array[]): Buffer;
    static byteLength(text: string): number;
    indexOf(value: number | string): number;
    subarray(start?: number, end?: number): Buffer;
    toString(encoding?: 'base64' | 'base64url'): string;
  }
}

declare module 'node:crypto' {
  interface Digest {
    update(data: string | Uint8Array): this;
    digest(): import('node:buffer').Buffer;
    digest(encoding: 'hex' | 'base64url'): string;
  }
  /** Unlike `crypto.subtle.digest`, it is synchronous. */
  function createHash(algorithm: 'sha256'): Digest;
  function createHmac(algorithm: 'sha1' | 'sha256', key: string | Uint8Array): Digest;
  function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean;
  function randomBytes(size: number): import('node:buffer').Buffer;
}

declare module 'node:zlib' {
  /** Unlike `CompressionStream`, it can flush, and it takes a level. */
  interface DeflateOptions {
    readonly level: number;
    readonly memLevel: number;
    readonly chunkSize: number;
    readonly finishFlush: number;
  }
  const constants: { readonly Z_FULL_FLUSH: number };
  function crc32(bytes: Uint8Array): number;
  function deflateRawSync(bytes: Uint8Array, options?: DeflateOptions): Uint8Array;
  function inflateRawSync(bytes: ArrayBuffer): Uint8Array;
}
