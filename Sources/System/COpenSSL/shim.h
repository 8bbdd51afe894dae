// What Swift needs to call OpenSSL, and nothing more.
#ifndef CONTRAIL_COPENSSL_SHIM_H
#define CONTRAIL_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <string.h>

// Macros with arguments, which Swift does not import: SSL_CTX_ctrl by its usual names.
static inline int contrail_ssl_ctx_at_least_tls12(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

// Buffers of idle connections are given back (34 KB each otherwise), writes may be partial, and a write
// that has to be repeated may come from another address, since output moves while it waits.
static inline void contrail_ssl_ctx_set_modes(SSL_CTX *context) {
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_IGNORE_UNEXPECTED_EOF);
}

// Chooses http/1.1 where the client offers it; a client that offers only others is refused, as RFC 7301
// (section 3.2) asks.
static inline int contrail_ssl_choose_protocol(
    SSL *ssl, const unsigned char **chosen, unsigned char *count, const unsigned char *offered,
    unsigned int offered_count, void *context) {
  (void)ssl;
  (void)context;
  for (unsigned int i = 0; i < offered_count; i += 1u + offered[i]) {
    unsigned int length = offered[i];
    if (length > offered_count - i - 1u) break;
    if (length == 8 && memcmp(offered + i + 1, "http/1.1", 8) == 0) {
      *chosen = offered + i + 1;
      *count = 8;
      return SSL_TLSEXT_ERR_OK;
    }
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL;
}

static inline void contrail_ssl_ctx_set_protocols(SSL_CTX *context) {
  SSL_CTX_set_alpn_select_cb(context, contrail_ssl_choose_protocol, (void *)0);
}

// Writes the reason of the first error of this thread's queue, and empties the queue.
static inline void contrail_ssl_first_error(char *text, int capacity) {
  unsigned long code = ERR_get_error();
  const char *reason = code ? ERR_reason_error_string(code) : 0;
  if (reason) {
    strncpy(text, reason, (size_t)capacity - 1);
    text[capacity - 1] = 0;
  } else if (code) {
    ERR_error_string_n(code, text, (size_t)capacity);
  } else {
    text[0] = 0;
  }
  ERR_clear_error();
}

static inline int contrail_no_passphrase(char *text, int capacity, int is_writing, void *context) {
  (void)text;
  (void)capacity;
  (void)is_writing;
  (void)context;
  return 0;
}

// Reads a public key from PEM text; null when there is none. An encrypted file would otherwise make
// OpenSSL ask for a passphrase on the terminal.
static inline EVP_PKEY *contrail_read_public_key(const void *text, int count) {
  BIO *source = BIO_new_mem_buf(text, count);
  if (!source) return (EVP_PKEY *)0;
  EVP_PKEY *key = PEM_read_bio_PUBKEY(source, (EVP_PKEY **)0, contrail_no_passphrase, (void *)0);
  BIO_free(source);
  return key;
}

// OPENSSL_free is a macro.
static inline void contrail_free(void *memory) { OPENSSL_free(memory); }

#endif
