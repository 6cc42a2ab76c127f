import type { ProblemCode } from '../problem.ts';

/** What the program that gets a problem should do, or the person who runs it. */
export const REMEDIES: Readonly<Record<ProblemCode, string>> = {
  not_json:
    'Send one JSON text in UTF-8 in which no member is repeated. The same body fails again.',
  bad_parameter: 'Correct the parameter that `detail` names, or leave it out.',
  bad_credentials: 'Check the account’s code and its password or key. The same ones fail again.',
  missing_token: 'Request a token from `/oauth/token`, and send it as `Authorization: Bearer`.',
  invalid_token: 'Request a new token, and repeat the request once with it.',
  insufficient_scope:
    'Ask the agency or the operator for a client with the scope that `detail` names.',
  account_not_found: 'Check the account’s code.',
  operation_not_found: 'Check the id; `GET /v1/operator/operations` lists operations.',
  client_not_found: 'Check the client’s id, and the account it belongs to.',
  database_not_found: 'Name one of the bindings that `GET /v1/operator/databases` lists.',
  backup_not_found: 'Name one of the backups that `GET /v1/operator/backups` lists.',
  development_not_found: 'Check the id; `GET /v1/developments` lists those of the account.',
  unit_not_found:
    'Check the name, of which letter case and spaces count: `similar` has those that are like it. A new unit is created with PUT.',
  property_not_found:
    'Check the id, which is the agency’s own and not the reference; `GET /v1/properties` lists them. A new property is created with PUT. One that was deleted for good can only be created again.',
  format_not_found: 'Put the settings of the format first.',
  channel_not_found: 'Check the name; a channel comes to be when a property is added to it.',
  import_not_found:
    'Check the id in the `Location` of the response that began it. Imports are kept for 90 days; `GET /v1/imports` lists them.',
  source_not_found: 'Check the name; `GET /v1/sources` lists them.',
  webhook_not_found: 'Check the name; `GET /v1/webhooks` lists them.',
  reader_not_found: 'Check the name; `GET /v1/readers` lists them.',
  picture_not_found: 'Read the property’s pictures again: this one has been removed.',
  name_not_found:
    'Check the code: `GET /v1/vocabulary/names` lists the names that can be merged or deleted.',
  not_found: 'Check the path: nothing is served there.',
  method_not_allowed: 'Use one of the methods in `Allow`.',
  account_in_use: 'Choose another code.',
  account_enabled: 'Disable the account first.',
  account_moving: 'Repeat the request after `Retry-After` seconds: reads work meanwhile.',
  account_deleting: 'Wait until it is deleted, or choose another code.',
  client_in_use: 'Choose another id, or rotate the secret of this client.',
  reader_in_use: 'Choose another name.',
  channel_in_use: 'Take the channel from the readers and sources that `detail` names first.',
  wrong_state:
    'Read the import: it has been approved, has ended, or was cancelled meanwhile. Only a held one can be approved, and only one that has not ended can be cancelled. Do not repeat the request.',
  too_many_imports:
    'Wait until one of the waiting imports has ended, or cancel one; then send the file again.',
  too_many_sources: 'Delete a source that is no longer used.',
  unit_in_use: 'Take the unit from its property first.',
  name_in_use:
    'Merge the name into another one, or take it from the readers’ rules that `detail` names first.',
  too_many_pictures: 'Delete some of the property’s pictures first.',
  too_many_webhooks: 'Delete a webhook that is no longer used.',
  cursor_expired: 'Begin again without a cursor: changes that it stands for are no longer kept.',
  precondition_failed:
    'Read what is stored now, make the change again from that, and send it with the new `ETag`.',
  body_too_large: 'Send less at once, for instance a batch in parts.',
  picture_too_large: 'Reduce the picture.',
  unsupported_media_type: 'Send the media type that `detail` names, not compressed.',
  picture_format: 'Convert the picture to one of the formats that `detail` names.',
  picture_heic_not_read: 'Send the picture as JPEG: this service cannot read HEIC.',
  picture_not_jpeg: 'Convert the picture to JPEG: this service cannot.',
  invalid_fields: 'Correct the members that `errors` points to. The same body fails again.',
  picture_damaged: 'Open the picture and save it again.',
  picture_too_many_pixels: 'Reduce the picture.',
  too_many_requests: 'Wait for `Retry-After` seconds, and send fewer requests at once.',
  internal: 'Repeat the request later, and tell the operator its `X-Request-Id` if it fails again.',
  unavailable: 'Repeat the same request after `Retry-After` seconds, with growing intervals.',
};
