"""Key pairs of localhost for one run, made by openssl, and gateways and clients that use them."""

import atexit
import functools
import shutil
import ssl
import subprocess
import tempfile
from pathlib import Path

from gateway import Gateway


@functools.cache
def folder():
    path = Path(tempfile.mkdtemp(prefix="parley-load-tls-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


@functools.cache
def make(name="localhost"):
    """Makes a certificate of its own, and a key; returns their paths."""
    certificate, key = folder() / f"{name}.pem", folder() / f"{name}.key"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    subject = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate]
    subprocess.run([*command.split(), *subject], check=True, capture_output=True, timeout=30)
    return certificate, key


class SecureGateway(Gateway):
    """A gateway that speaks TLS by its configuration file."""

    speaks_tls = True


def tls_settings():
    """What makes a gateway speak TLS."""
    certificate, key = make()
    return {"SERVER_TLS_CERTIFICATE": certificate, "SERVER_TLS_KEY": key}


def client_context():
    """Trusts the certificate of the run."""
    return ssl.create_default_context(cafile=make()[0])


@functools.cache
def careless_contexts():
    """One for each version of TLS that the gateway speaks; they take any certificate, as it changes while they connect."""
    contexts = []
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.minimum_version = context.maximum_version = version
        contexts.append(context)
    return contexts
