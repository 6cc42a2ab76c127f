/** The text that another one percent-encodes; `undefined` if a percent sign encodes nothing. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
