#pragma once
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>

// What follows is C because OpenSSL says it in macros (EVP_EC_gen, BIO_get_mem_data, X509_NAME…).

/// Memory that the caller gives back with OPENSSL_free.
struct basket_pem {
    unsigned char *bytes;
    size_t count;
};

static inline int basket_take(BIO *source, struct basket_pem *target) {
    char *memory = 0;
    long count = BIO_get_mem_data(source, &memory);
    target->bytes = count > 0 ? OPENSSL_malloc((size_t)count) : 0;
    if (!target->bytes) return 0;
    memcpy(target->bytes, memory, (size_t)count);
    target->count = (size_t)count;
    return 1;
}

static inline int basket_extend(X509 *certificate, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, 0, 0, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(0, &context, kind, value);
    if (!extension) return 0;
    int added = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}

/// A certificate for `alternatives` ("DNS:nas.local,IP:192.0.2.1"), signed with its own new key of
/// P-256. 1, or 0 when OpenSSL refuses.
static inline int basket_self_sign(
    const char *common_name, const char *alternatives, int64_t not_before, int64_t not_after,
    struct basket_pem *certificate_pem, struct basket_pem *key_pem) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    BIO *certificate_text = BIO_new(BIO_s_mem());
    BIO *key_text = BIO_new(BIO_s_mem());
    BIGNUM *serial = BN_new();
    int done = key && certificate && certificate_text && key_text && serial;
    if (done) {
        X509_NAME *name = X509_get_subject_name(certificate);
        done = X509_set_version(certificate, X509_VERSION_3)
            && BN_rand(serial, 127, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY)
            && BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(certificate))
            && ASN1_TIME_set(X509_getm_notBefore(certificate), (time_t)not_before)
            && ASN1_TIME_set(X509_getm_notAfter(certificate), (time_t)not_after)
            && X509_NAME_add_entry_by_txt(
                name, "CN", MBSTRING_UTF8, (const unsigned char *)common_name, -1, -1, 0)
            && X509_set_issuer_name(certificate, name)
            && X509_set_pubkey(certificate, key)
            && basket_extend(certificate, NID_basic_constraints, "critical,CA:FALSE")
            && basket_extend(certificate, NID_key_usage, "critical,digitalSignature")
            && basket_extend(certificate, NID_ext_key_usage, "serverAuth")
            && basket_extend(certificate, NID_subject_key_identifier, "hash")
            && basket_extend(certificate, NID_subject_alt_name, alternatives)
            && X509_sign(certificate, key, EVP_sha256())
            && PEM_write_bio_X509(certificate_text, certificate)
            && PEM_write_bio_PrivateKey(key_text, key, 0, 0, 0, 0, 0)
            && basket_take(certificate_text, certificate_pem) && basket_take(key_text, key_pem);
    }
    BN_free(serial);
    BIO_free(key_text);
    BIO_free(certificate_text);
    X509_free(certificate);
    EVP_PKEY_free(key);
    return done;
}

/// Whether both are PEM and the key is the first certificate's. 1: yes; 0: the certificate cannot be
/// read; -1: the key cannot; -2: they do not belong together.
static inline int basket_check_identity(
    const unsigned char *certificate_pem, size_t certificate_count, const unsigned char *key_pem,
    size_t key_count) {
    BIO *certificate_text = BIO_new_mem_buf(certificate_pem, (int)certificate_count);
    BIO *key_text = BIO_new_mem_buf(key_pem, (int)key_count);
    X509 *certificate = certificate_text ? PEM_read_bio_X509(certificate_text, 0, 0, 0) : 0;
    EVP_PKEY *key = key_text ? PEM_read_bio_PrivateKey(key_text, 0, 0, 0) : 0;
    int result = !certificate ? 0 : !key ? -1 : X509_check_private_key(certificate, key) ? 1 : -2;
    X509_free(certificate);
    EVP_PKEY_free(key);
    BIO_free(certificate_text);
    BIO_free(key_text);
    ERR_clear_error();
    return result;
}

/// SHA-256 of the first certificate's DER form, into 32 bytes. 1, or 0 when it cannot be read.
static inline int basket_fingerprint(const unsigned char *pem, size_t count, unsigned char *digest) {
    BIO *text = BIO_new_mem_buf(pem, (int)count);
    X509 *certificate = text ? PEM_read_bio_X509(text, 0, 0, 0) : 0;
    unsigned int length = 0;
    int done = certificate && X509_digest(certificate, EVP_sha256(), digest, &length);
    X509_free(certificate);
    BIO_free(text);
    ERR_clear_error();
    return done;
}

/// Whether the first certificate is for a name, which is one of DNS, with or without a wildcard, or an IP
/// address. 1 or 0.
static inline int basket_is_for(const unsigned char *pem, size_t count, const char *name) {
    BIO *text = BIO_new_mem_buf(pem, (int)count);
    X509 *certificate = text ? PEM_read_bio_X509(text, 0, 0, 0) : 0;
    int found = certificate
        && (X509_check_ip_asc(certificate, name, 0) == 1
            || X509_check_host(certificate, name, 0, 0, 0) == 1
            // A wildcard is no host's name, but may be asked for as it stands.
            || X509_check_host(certificate, name, 0, X509_CHECK_FLAG_NO_WILDCARDS, 0) == 1);
    X509_free(certificate);
    BIO_free(text);
    ERR_clear_error();
    return found;
}

/// Whom a client takes for its server, and which certificate it was shown last.
struct basket_trust {
    /// Whether the certificate must be one of the authorities that the system trusts; else it must be the
    /// one with the fingerprint `wanted`, whoever signed it.
    int by_authority;
    unsigned char wanted[32];
    int was_offered;
    unsigned char offered[32];
};

static int basket_verify(X509_STORE_CTX *store, void *context) {
    struct basket_trust *trust = context;
    X509 *certificate = X509_STORE_CTX_get0_cert(store);
    unsigned int length = 0;
    trust->was_offered = certificate && X509_digest(certificate, EVP_sha256(), trust->offered, &length);
    if (trust->by_authority) return X509_verify_cert(store);
    int is_wanted = trust->was_offered && CRYPTO_memcmp(trust->offered, trust->wanted, 32) == 0;
    X509_STORE_CTX_set_error(store, is_wanted ? X509_V_OK : X509_V_ERR_APPLICATION_VERIFICATION);
    return is_wanted;
}

/// Has each handshake of this `SSL_CTX` judged by `trust`, which must outlive its connections.
static inline void basket_trust_install(void *context, struct basket_trust *trust) {
    SSL_CTX_set_cert_verify_callback((SSL_CTX *)context, basket_verify, trust);
}
