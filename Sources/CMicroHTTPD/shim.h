#pragma once
#include <stdint.h>
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

// MHD_set_response_options is variadic. With this the answer has neither a length nor chunks, and the
// connection closes after it.
static inline void basket_mhd_omit_length(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}
