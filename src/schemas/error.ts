import { FEED_ERROR_STATUS } from '../feed/document/error-document.ts';
import { component, documented, element, facet, schema, sequence, valueType } from '../lib/xsd.ts';

/** The XML Schema of the error document of the feed. */
export function errorSchema(): string {
  const root = element(
    'root',
    'once',
    [
      sequence([
        element(
          'error',
          'once',
          [
            sequence([
              element('code', 'once', 'errorCode', 'The kind of error. Stable: readers may branch on it.'),
              element('message', 'once', 'errorMessage', 'What is wrong with this request, in English.'),
            ]),
          ],
          'Why the request failed.',
        ),
      ]),
    ],
    'The response to a feed request that failed. A feed never contains an error.',
  );
  return schema('The error document of the property feed. Each code has its own HTTP status.', root, [
    valueType(
      'errorCode',
      'xs:string',
      'The kinds of errors.',
      Object.entries(FEED_ERROR_STATUS).map(([code, status]) =>
        component('enumeration', { value: code }, [documented(`HTTP status ${status}.`)]),
      ),
    ),
    valueType('errorMessage', 'xs:string', 'One or more sentences.', [facet('minLength', 1)]),
  ]);
}
