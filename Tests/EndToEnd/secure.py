"""A gateway that speaks TLS, and certificates for it."""

import datetime
import ssl

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from gateway import Gateway, trusting_all


def certificate(serial):
    """A certificate that signs itself, and its key, both in PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = x509.CertificateBuilder(name, name, key.public_key(), serial, now - datetime.timedelta(days=1), now + datetime.timedelta(days=30))
    names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    signed = builder.add_extension(names, critical=False).sign(key, hashes.SHA256())
    pem = signed.public_bytes(serialization.Encoding.PEM)
    return pem, key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def client_context(protocols=("http/1.1",), version=None):
    """What a client speaks TLS with that believes anybody; `version` pins it to one."""
    context = trusting_all()
    if protocols:
        context.set_alpn_protocols(list(protocols))
    if version:
        context.minimum_version = context.maximum_version = version
    return context


class SecureGateway(Gateway):
    """A gateway whose address speaks TLS, with a certificate of serial number 1."""

    def __init__(self, **parameters):
        super().__init__(**parameters)
        self.certificate_path = self.temporary / "tls.crt"
        self.key_path = self.temporary / "tls.key"
        self.settings |= {"SERVER_TLS_CERTIFICATE": self.certificate_path, "SERVER_TLS_KEY": self.key_path}
        self.install(*certificate(1))

    def install(self, pem, key):
        """Puts new files in the place of those that are there, one after the other, as tools that renew certificates do."""
        for path, content in ((self.certificate_path, pem), (self.key_path, key)):
            new = path.with_suffix(".new")
            new.write_bytes(content)
            new.replace(path)

    def serial(self):
        """The serial number of the certificate that new clients see."""
        pem = ssl.get_server_certificate(("127.0.0.1", self.port))
        return x509.load_pem_x509_certificate(pem.encode()).serial_number
