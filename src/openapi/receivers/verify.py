import base64, hashlib, hmac, time

def is_verified(secret, headers, body):
    """Whether a call is the service's, not older than five minutes, and unchanged: lower-case headers, the body as bytes."""
    sent_at = headers.get("webhook-timestamp", "0")
    if abs(time.time() - int(sent_at)) >= 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id')}.{sent_at}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected, one) for one in given)
