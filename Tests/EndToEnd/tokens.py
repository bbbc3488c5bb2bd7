"""Makes JSON Web Tokens by hand, so that wrong ones can be made as well."""

import base64
import hashlib
import hmac
import json
import time

SECRET = "the secret of the end-to-end suites"


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unsigned(header, claims):
    return ".".join(encode(json.dumps(part).encode()) for part in (header, claims))


def hs256(text, secret):
    secret = secret if isinstance(secret, bytes) else secret.encode()
    return hmac.new(secret, text.encode(), hashlib.sha256).digest()


def claims_of(user, **claims):
    """The claims of a user's token that is valid for an hour; None leaves a claim out."""
    now = int(time.time())
    merged = {"sub": user, "iat": now, "exp": now + 3600, **claims}
    return {name: value for name, value in merged.items() if value is not None}


def token(user, secret=SECRET, header=None, sign=None, **claims):
    """A token signed with HS256, or by `sign(text)`."""
    text = unsigned({"alg": "HS256", "typ": "JWT", **(header or {})}, claims_of(user, **claims))
    return f"{text}.{encode(sign(text) if sign else hs256(text, secret))}"
