/**
 * The names of readers, channels, webhooks and sources; the constraints of their tables require the same. None is `.` or `..`: as
 * parts of a URL's path, these name something else, so nothing with such a name could be changed or deleted.
 */
export const SHORT_NAME_PATTERN = /^(?=.*[^.])[a-z0-9._-]{1,40}$/;

/** The same in words, as the object of "must consist of". */
export const SHORT_NAME_RULE =
  '1 to 40 lower-case letters, digits, dots, underscores or hyphens, but not only dots';

/** Whether a reader or a channel can have this name. */
export function isShortName(name: string): boolean {
  return SHORT_NAME_PATTERN.test(name);
}
