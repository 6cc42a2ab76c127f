import { long } from './sentence.ts';
/** Why a file cannot be fetched or imported, or what it would do that it may not: sentences. */
export const FILES = {
  empty_file: 'The file is empty.',
  no_element: 'The file has no XML element.',
  not_well_formed: 'The file is not well-formed XML, at line {line}, column {column}: {said}',
  unclosed_at_end: long(
    'The file is not well-formed XML, at line {line}: <{name}> is not closed; unexpected end of ',
    'file at line {end}.',
  ),
  unclosed_element: long(
    'The file is not well-formed XML, at line {line}: <{name}> is not closed; another element is ',
    'closed at line {end}.',
  ),
  declared_entities: long(
    'The file is not well-formed XML, at line {line}: entities of a document type are not ',
    'supported.',
  ),
  bare_ampersand: long(
    'The file is not well-formed XML, at line {line}: an ampersand that begins no entity must be ',
    'written &amp;.',
  ),
  unknown_entity:
    'The file is not well-formed XML, at line {line}: XML does not define the entity {entity}',
  late_declaration:
    'The file is not well-formed XML, at line {line}: nothing may precede the XML declaration.',
  forbidden_character:
    'The file is not well-formed XML, at line {line}: the character {character} is not allowed.',
  long_record: 'The record at line {line} exceeds the maximum length of a record.',
  long_element: 'The element <{name}> at line {line} exceeds the maximum length of a record.',
  deep_record: 'The record at line {line} is nested too deeply.',
  long_line: 'Line {line} exceeds the maximum length of a record.',
  not_ndjson: 'Line {line} is not JSON: the file is truncated there or not NDJSON.',
  second_portfolio:
    'The file is truncated: line {line} begins another portfolio before this one has ended.',
  lacks_documents:
    'The file is truncated: {count} of the documents that line {line} counts are present.',
  lacks_beginning:
    'The file is truncated: not all of the documents that line {line} counts are present.',
  lacks_end: 'The file is truncated: the last line of an export is missing.',
  zip_file: 'The file is a ZIP archive: extract it first.',
  compressed_twice: 'The file is compressed twice: decompress it first.',
  damaged_gzip: 'The gzipped file is damaged or truncated.',
  inflates_too_much: 'The gzipped file inflates to more than {times} times its size.',
  unknown_encoding: 'The file declares the unknown encoding {encoding}.',
  not_in_encoding: 'The file is not valid {encoding}.',
  not_utf8: 'The file is not valid UTF-8, at line {line}.',
  kyero_version:
    'The file is a Kyero feed of version {version}; only versions 2 and 3 can be imported.',
  other_format: 'The file is {format}, not {wanted}. Leave out the format.',
  unsupported_file: long(
    'The file is {kind}, which cannot be imported. Supported: {supported}; each plain or ',
    'gzipped.',
  ),
  error_document: 'The file is the error document of a feed: {said}',
  server_message:
    'The file is not a feed, but a message of its server: "{said}". Ask whoever runs the server.',
  nameless_record: long(
    'The record at line {line} has no id, so it is not known which properties are missing. ',
    'Nothing was changed.',
  ),
  all_withdrawn: long(
    '{count} of {listed} listed properties are not in the file, which has none. Nothing was ',
    'changed.',
  ),
  too_many_withdrawn: long(
    '{count} of {listed} listed properties are not in the file, more than {most}%. Nothing was ',
    'changed.',
  ),
  invalid_records: {
    one: '{records}\n{count} invalid record, so nothing was changed.',
    other: '{records}\n{count} invalid records, so nothing was changed.',
  },
  interrupted: 'The import was interrupted {times} times.',
  large_file: 'The file is larger than {megabytes} MB.',
  file_lost: 'The file is no longer stored. Import it again.',
  file_not_received: 'The file was not received.',
  none_usable: 'No record of the file could be used.',
  picture_format: 'The file is neither JPEG, PNG, WebP nor HEIC.',
  picture_not_jpeg: 'This service takes only JPEG.',
  picture_heic_not_read:
    'The HEIC file is damaged, or this service has no decoder for it: send the picture as a JPEG.',
  picture_damaged: 'The file is truncated, or cannot be read.',
  picture_too_large: 'The maximum is 30 MB.',
  picture_too_many_pixels: 'The maximum is 100 megapixels, and 12,000 pixels a side.',
  copy_interrupted: 'Copying it was interrupted {times} times.',
} as const;

/** What a record's problem is about, around the problem. */
export const RECORDS = {
  large_property: 'The property must have at most {most} bytes as JSON.',
  at_line: 'line {line}: {problem}',
  at_property: 'line {line}, property {id}: {problem}',
  in_field: '{field}: {problem}',
  of_value: '"{value}": {problem}',
} as const;

/** Kinds of files. */
export const KINDS = {
  kyero: 'Kyero v3 XML',
  resales: 'ReSales-Online feed XML, like the feed of this service',
  ndjson: 'NDJSON as written by export',
  and_format: '{others}; {format}',
  html: 'an HTML page',
  homes_overseas: 'a HomesOverseas feed',
  atom: 'an Atom feed',
  rss: 'an RSS feed',
  site_map: 'a site map',
  soap: 'a SOAP message',
  workbook: 'an Excel workbook',
  table: 'CSV or another table of text',
  blm: 'BLM, the Rightmove format',
  other_json: 'JSON of another program',
  pdf: 'a PDF document',
  binary: 'a binary format',
  other_feed: 'a {name} feed',
  named_format: '{name}',
  other_program: 'XML of another program, such as {names}',
  unknown_xml: 'XML of an unknown format, whose first element is <{root}>',
  empty_xml: 'XML of an unknown format, whose first element is <{root}> without elements',
  unknown_text: 'text in an unknown format',
  beginning_with: '{kind} that begins "{said}"',
} as const;

/** Why a server that this service calls has not answered as it should: sentences. */
export const SERVERS = {
  unreachable: 'The server cannot be reached.',
  connection_failed: 'The connection failed.',
  no_response: 'There was no response within {seconds} seconds.',
  silent: 'The server sent nothing for {seconds} seconds.',
  too_slow: 'The server is too slow: it sent {bytes} bytes in {seconds} seconds.',
  short_body: 'The server sent {bytes} of {stated} bytes.',
  not_modified: long(
    'The server answered that the file has not changed (304), though it was asked for all of it. ',
    'Ask whoever runs the server.',
  ),
  answered: 'The server answered with status {status}.',
  answered_saying: 'The server answered with status {status}: "{said}".',
  advised: '{problem} {advice}',
  try_credentials: 'Credentials can be part of the URL: https://user:password@…',
  try_url: 'Check the URL.',
  try_new_url: 'Ask for the new URL of the feed.',
  try_later: 'It is asked too often: choose a longer interval, or try again later.',
  redirects: 'The server redirects more than {times} times, or to an invalid URL.',
  redirects_to_http: 'The server redirects from https:// to http://.',
  bad_address: 'The URL {problem}.',
  sealed_url:
    'The URL cannot be decrypted, because the setting SEALING_KEY has changed. Set the URL again.',
  sealed_secret: long(
    'The secret cannot be decrypted, because the setting SEALING_KEY has changed. Rotate the ',
    'secret.',
  ),
} as const;
