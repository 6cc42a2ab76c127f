<?php
/** Whether a call is the service's, not older than five minutes, and unchanged. $headers in lower case, $body as received. */
function is_verified(string $secret, array $headers, string $body): bool {
    [$id, $timestamp] = [$headers['webhook-id'] ?? '', $headers['webhook-timestamp'] ?? ''];
    if (abs(time() - (int) $timestamp) >= 300) return false;
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given)
        if (hash_equals($expected, $given)) return true;
    return false;
}
