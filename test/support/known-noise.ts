/**
 * What workerd, Miniflare and Vite print although nothing is wrong. Tests cut connections on purpose, and each test file
 * ends by cutting the connection to its workerd. Anything that is not listed here is printed.
 */
const KNOWN_NOISE: readonly RegExp[] = [
  // The pool closes the WebSocket to its runner at the end of a test file.
  /^exception = workerd\/api\/web-socket\.c\+\+:\d+: disconnected: WebSocket peer disconnected$/,
  // A reader has closed its connection in the middle of a response. The last two are about streams of workerd itself, not
  // about promises of the Worker: a test during which one of those is rejected and not handled fails (`worker-setup.ts`).
  /^exception = kj\/async-io-unix\.c\+\+:\d+: disconnected: ::write\(fd, buffer\.begin\(\), buffer\.size\(\)\): Broken pipe$/,
  /^exception = kj\/async-io\.c\+\+:\d+: disconnected: read end of pipe was aborted$/,
  /^uncaught exception; source = Uncaught \(in promise\); stack = Error: Network connection lost\.$/,
  /^uncaught exception; exception = workerd\/jsg\/_virtual_includes\/\S+: disconnected: jsg\.Error: Network connection lost\.$/,
  // Progress of an import that a test runs.
  /^(Reading|Writing) \d+% \d+\/\d+$/,
  // A token that no header can hold is sent on purpose.
  /^A header value for "Authorization" contains non-ASCII characters: /,
  // Packages that were published without the sources that their source maps name.
  /^Sourcemap for ".*\/node_modules\/.*" points to (missing source files|a source file outside its package: .*)$/,
  // Addresses of workerd's own code, printed after an exception.
  /^stack: (\S+\/workerd@[0-9a-f]+ ?)+$/,
];

/** Removes known noise from what this process and its workers print from now on. */
export function silenceKnownNoise(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
      // A worker's output arrives as bytes. Latin-1 gives each byte back as it was.
      const isText = typeof chunk === 'string';
      const left = withoutKnownNoise(isText ? chunk : Buffer.from(chunk).toString('latin1'));
      if (left === '' && chunk.length > 0) return true;
      return write(isText ? left : Buffer.from(left, 'latin1'), ...rest);
    }) as typeof stream.write;
  }
}

/** A text without its lines that are known noise. */
export function withoutKnownNoise(text: string): string {
  return text
    .split(/(?<=\n)/)
    .filter((line) => !KNOWN_NOISE.some((noise) => noise.test(line.trimEnd())))
    .join('');
}
