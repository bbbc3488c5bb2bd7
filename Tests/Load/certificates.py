"""A key pair of localhost for one run, made by openssl, and what the gateway and its clients need of it."""

import atexit
import functools
import shutil
import ssl
import subprocess
import tempfile
from pathlib import Path


@functools.cache
def folder():
    path = Path(tempfile.mkdtemp(prefix="parley-load-tls-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def make(name="localhost"):
    """Makes a certificate of its own, and a key; returns their paths."""
    certificate, key = folder() / f"{name}.pem", folder() / f"{name}.key"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    subject = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate]
    subprocess.run([*command.split(), *subject], check=True, capture_output=True, timeout=30)
    return certificate, key


@functools.cache
def localhost():
    return make()


def tls_settings():
    certificate, key = localhost()
    return {"SERVER_TLS_CERTIFICATE": certificate, "SERVER_TLS_KEY": key}


def client_context(version=None):
    """Trusts the certificate of the run."""
    context = ssl.create_default_context(cafile=localhost()[0])
    if version:
        context.minimum_version = context.maximum_version = version
    return context
