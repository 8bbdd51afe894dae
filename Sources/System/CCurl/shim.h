// What Swift needs to call libcurl, and nothing more.
#ifndef CONTRAIL_CCURL_SHIM_H
#define CONTRAIL_CCURL_SHIM_H

// The checks of argument types are for callers in C: here each type has a function of its own.
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#include <pthread.h>
#include <signal.h>

// `curl_easy_setopt`, `curl_easy_getinfo` and `curl_multi_setopt` are variadic, which Swift does not
// import: one function for each type of argument.
static inline CURLcode contrail_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode contrail_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode contrail_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode contrail_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode contrail_curl_set_list(
    CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

// Takes and gives parts of bodies: libcurl's form of `fread` and `fwrite`.
typedef size_t (*contrail_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
typedef int (*contrail_curl_seek)(void *context, curl_off_t offset, int origin);

static inline CURLcode contrail_curl_set_bytes(
    CURL *easy, CURLoption option, contrail_curl_bytes function) {
  return curl_easy_setopt(easy, option, function);
}

static inline CURLcode contrail_curl_set_seek(CURL *easy, contrail_curl_seek function) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}

static inline CURLcode contrail_curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode contrail_curl_get_text(CURL *easy, CURLINFO info, const char **value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode contrail_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// Finds a transfer that has ended, and how; 0 when there is none. `CURLMsg` has a union in it, which
// Swift does not read well.
static inline int contrail_curl_next_end(CURLM *multi, CURL **easy, CURLcode *code) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *easy = message->easy_handle;
    *code = message->data.result;
    return 1;
  }
  return 0;
}

static inline CURLcode contrail_curl_global_begin(void) {
  return curl_global_init(CURL_GLOBAL_DEFAULT);
}

// A write to a connection that the other side has closed may send SIGPIPE to the thread that writes: there
// it stays blocked, and the write's error says all.
static inline int contrail_block_sigpipe(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  return pthread_sigmask(SIG_BLOCK, &signals, 0);
}

#endif
