#pragma once
#include <curl/curl.h>

// curl_easy_setopt is variadic, which Swift cannot call: one function for each type that we pass.
static inline CURLcode basket_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode basket_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode basket_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode basket_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

// What a body's bytes go through, and a head's lines.
typedef size_t (*basket_curl_bytes)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode basket_curl_set_bytes(CURL *handle, CURLoption option, basket_curl_bytes callback) {
    return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode basket_curl_set_seek(
    CURL *handle, int (*callback)(void *context, curl_off_t offset, int origin)) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, callback);
}

// Called when the connection stands and the request is about to go out.
static inline CURLcode basket_curl_set_begin(
    CURL *handle,
    int (*callback)(void *context, char *remote, char *local, int remote_port, int local_port)) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLcode basket_curl_set_socket(
    CURL *handle, int (*callback)(void *context, curl_socket_t socket, curlsocktype purpose)) {
    return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, callback);
}

static inline CURLcode basket_curl_set_tls(
    CURL *handle, CURLcode (*callback)(CURL *handle, void *tls, void *context)) {
    return curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, callback);
}

// curl_easy_getinfo is variadic too.
static inline long basket_curl_number(CURL *handle, CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(handle, info, &value);
    return value;
}

// How much of the body has gone to the socket.
static inline curl_off_t basket_curl_uploaded(CURL *handle) {
    curl_off_t value = 0;
    curl_easy_getinfo(handle, CURLINFO_SIZE_UPLOAD_T, &value);
    return value;
}

static inline void *basket_curl_private(CURL *handle) {
    char *value = 0;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &value);
    return value;
}

static inline CURLMcode basket_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// The next transfer that ended, and how; 0 when there is none. What curl says about it is in a union.
static inline CURL *basket_curl_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return 0;
}
