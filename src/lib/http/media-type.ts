/** The type and subtype of a Content-Type (RFC 9110 section 8.3), in lower case and without parameters. */
export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
}
