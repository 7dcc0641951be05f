"""A provider of sign-in on this machine: OpenID Connect with discovery, PKCE and signed tokens.

It is as strict as a real one: it knows one client with one redirect address, checks the client's
secret, lets a code be used once and only with the verifier behind its challenge, and signs with a
key that its discovery document leads to.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "dpcore", "what the provider gave you"
HOUR = 3600
FORM = """<!doctype html><title>Provider</title><h1>Provider</h1>{buttons}"""
BUTTON = '<p><a role="button" href="/enter?{query}">{email}</a></p>'


@dataclass
class Issuer:
    """The provider's state.

    Attributes
    ----------
    people : tuple of str
        Addresses that can sign in.
    address : str
        Where it is reached.
    redirect_uri : str
        Where it sends people back to; of any other it wants to know nothing.
    lifetime : int
        Seconds until a token ends.
    codes : dict
        What each unused code stands for.
    ended : int
        How often somebody signed out.
    """

    people: tuple[str, ...]
    address: str = ""
    redirect_uri: str = ""
    lifetime: int = HOUR
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    ended: int = 0
    key: RSAKey = field(
        default_factory=lambda: RSAKey.generate_key(2048, {"use": "sig", "kid": "one"})
    )

    def metadata(self) -> dict[str, Any]:
        """The discovery document."""
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/keys",
            "end_session_endpoint": f"{self.address}/end",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        }

    def form(self, asked: Mapping[str, str]) -> str:
        """Where somebody says who they are."""
        assert asked["client_id"] == CLIENT
        assert asked["redirect_uri"] == self.redirect_uri
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        assert {"openid", "email"} <= set(asked["scope"].split())
        buttons = (
            BUTTON.format(query=urlencode({**asked, "email": email}), email=email)
            for email in self.people
        )
        return FORM.format(buttons="".join(buttons))

    def enter(self, asked: Mapping[str, str]) -> str:
        """The address that hands a code to the client."""
        assert asked["email"] in self.people
        code = secrets.token_urlsafe()
        self.codes[code] = dict(asked)
        return f"{self.redirect_uri}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, form: Mapping[str, str], authorization: str) -> dict[str, Any]:
        """The answer to a code."""
        told = base64.b64decode(authorization.removeprefix("Basic ")).decode()
        assert told == f"{CLIENT}:{SECRET}"
        asked = self.codes.pop(form["code"])
        challenge = hashlib.sha256(form["code_verifier"].encode()).digest()
        assert base64.urlsafe_b64encode(challenge).decode().rstrip("=") == asked["code_challenge"]
        now = int(time.time())
        claims = {
            "iss": self.address,
            "aud": CLIENT,
            "sub": asked["email"],
            "email": asked["email"],
            "email_verified": True,
            "nonce": asked["nonce"],
            "iat": now,
            "exp": now + self.lifetime,
        }
        return {
            "access_token": secrets.token_urlsafe(),
            "token_type": "Bearer",
            "expires_in": self.lifetime,
            "id_token": jwt.encode({"alg": "RS256", "kid": "one"}, claims, self.key),
        }

    def end(self, asked: Mapping[str, str]) -> str:
        """Sign somebody out, and say where they go."""
        assert asked["post_logout_redirect_uri"] == self.redirect_uri
        self.ended += 1
        return asked["post_logout_redirect_uri"]


class _Answers(BaseHTTPRequestHandler):
    issuer: Issuer

    def do_GET(self) -> None:
        place = urlsplit(self.path)
        asked = dict(parse_qsl(place.query))
        if place.path == "/.well-known/openid-configuration":
            self._json(self.issuer.metadata())
        elif place.path == "/keys":
            self._json({"keys": [self.issuer.key.as_dict(private=False)]})
        elif place.path == "/authorize":
            self._send(200, "text/html", self.issuer.form(asked).encode())
        elif place.path == "/enter":
            self._redirect(self.issuer.enter(asked))
        elif place.path == "/end":
            self._redirect(self.issuer.end(asked))
        else:
            self._send(404, "text/plain", b"Not Found")

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._json(self.issuer.token(dict(parse_qsl(content)), self.headers["Authorization"]))

    def _json(self, document: Mapping[str, Any]) -> None:
        self._send(200, "application/json", json.dumps(document).encode())

    def _redirect(self, address: str) -> None:
        self.send_response(302)
        self.send_header("Location", address)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Nothing: the test says what went wrong."""


@contextmanager
def issuing(*people: str) -> Iterator[Issuer]:
    """Serve a provider on a free port, and stop it at the end."""
    issuer = Issuer(people)
    handler = type("Answers", (_Answers,), {"issuer": issuer})
    with ThreadingHTTPServer(("localhost", 0), handler) as server:
        issuer.address = f"http://localhost:{server.server_address[1]}"
        running = threading.Thread(target=server.serve_forever, daemon=True)
        running.start()
        yield issuer
        server.shutdown()
        running.join()
