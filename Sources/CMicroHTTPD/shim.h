#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <microhttpd.h>

// MHD_start_daemon is variadic, which Swift cannot call: here its options are an array that ends with
// MHD_OPTION_END. There is no port, because the listening socket is one of the options.
static inline struct MHD_Daemon *basket_mhd_start(
    unsigned int flags, MHD_AcceptPolicyCallback accept, void *accept_context,
    MHD_AccessHandlerCallback handler, void *handler_context, const struct MHD_OptionItem *options) {
    return MHD_start_daemon(
        flags, 0, accept, accept_context, handler, handler_context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// MHD_get_connection_info is variadic: one function for each thing that we ask.
static inline const struct sockaddr *basket_mhd_client_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : 0;
}

static inline int basket_mhd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline void *basket_mhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : 0;
}

// The bytes from the request line's first to the empty line's last; 0 when they are not all there yet.
static inline size_t basket_mhd_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

// The status of the answer that is being sent; 0 without one.
static inline unsigned int basket_mhd_status(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
    return info ? info->http_status : 0;
}

// MHD_set_response_options is variadic. With this the answer has neither a length nor chunks, and the
// connection closes after it.
static inline void basket_mhd_omit_length(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

// libmicrohttpd's TLS is GnuTLS, which its package brings along. The session; 0 without TLS.
static inline gnutls_session_t basket_mhd_tls_session(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info ? (gnutls_session_t)info->tls_session : 0;
}

/// A certificate, those that connect it to an authority, and its key, in the form of GnuTLS. Never
/// freed: a handshake may use it at any time.
struct basket_credentials {
    gnutls_pcert_st certificates[16];
    unsigned int count;
    gnutls_privkey_t key;
};

/// From PEM; 0 when GnuTLS cannot read it.
static inline struct basket_credentials *basket_load_credentials(
    const uint8_t *certificate, size_t certificate_size, const uint8_t *key, size_t key_size) {
    struct basket_credentials *loaded = calloc(1, sizeof *loaded);
    if (!loaded) return 0;
    const gnutls_datum_t certificate_text = {(unsigned char *)certificate, (unsigned int)certificate_size};
    const gnutls_datum_t key_text = {(unsigned char *)key, (unsigned int)key_size};
    loaded->count = 16;
    if (gnutls_pcert_list_import_x509_raw(
            loaded->certificates, &loaded->count, &certificate_text, GNUTLS_X509_FMT_PEM, 0) < 0) {
        free(loaded);
        return 0;
    }
    if (gnutls_privkey_init(&loaded->key) < 0
        || gnutls_privkey_import_x509_raw(loaded->key, &key_text, GNUTLS_X509_FMT_PEM, 0, 0) < 0) {
        for (unsigned int index = 0; index < loaded->count; index++)
            gnutls_pcert_deinit(&loaded->certificates[index]);
        if (loaded->key) gnutls_privkey_deinit(loaded->key);
        free(loaded);
        return 0;
    }
    return loaded;
}
