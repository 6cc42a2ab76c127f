/** The text that a percent-encoded one stands for; `undefined` if a percent sign encodes nothing. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
