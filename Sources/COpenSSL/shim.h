#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

// Swift imports no function-like macro and no macro with a cast; each has a function here.

static inline long parley_SSL_CTX_set_mode(SSL_CTX *context, long mode) { return SSL_CTX_set_mode(context, mode); }

static inline long parley_SSL_CTX_clear_mode(SSL_CTX *context, long mode) { return SSL_CTX_clear_mode(context, mode); }

static inline int parley_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
  return (int)SSL_CTX_set_min_proto_version(context, version);
}

static inline int parley_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
  return (int)SSL_CTX_set_max_proto_version(context, version);
}

static inline int parley_SSL_CTX_set1_groups_list(SSL_CTX *context, const char *list) {
  return (int)SSL_CTX_set1_groups_list(context, (char *)list);
}

/// Takes the certificate over where it answers 1.
static inline int parley_SSL_CTX_add0_chain_cert(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add0_chain_cert(context, certificate);
}

static inline void parley_SSL_CTX_disable_session_cache(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

/// What a server of ours never does: compress, renegotiate, follow the client's taste in ciphers.
static inline void parley_SSL_CTX_set_server_options(SSL_CTX *context) {
  SSL_CTX_set_options(
      context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
}

static inline void parley_SSL_set_msg_callback_arg(SSL *session, void *argument) { SSL_set_msg_callback_arg(session, argument); }

static inline int parley_ERR_is_of_SSL(unsigned long code) { return ERR_GET_LIB(code) == ERR_LIB_SSL; }

static inline int parley_ERR_reason(unsigned long code) { return ERR_GET_REASON(code); }

static inline int parley_BIO_new_type(void) { return BIO_get_new_index() | BIO_TYPE_SOURCE_SINK; }

static inline void parley_BIO_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }

static inline void parley_BIO_set_retry_write(BIO *bio) { BIO_set_retry_write(bio); }

static inline void parley_BIO_clear_retry_flags(BIO *bio) { BIO_clear_retry_flags(bio); }

/// Makes an HMAC with SHA-256 ready under a key. Here and not in Swift, because the parameters only refer to their names.
static inline int parley_EVP_MAC_CTX_set_key(EVP_MAC_CTX *mac, const unsigned char *key, size_t count) {
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)key, count),
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0), OSSL_PARAM_construct_end()};
  return EVP_MAC_CTX_set_params(mac, parameters);
}
