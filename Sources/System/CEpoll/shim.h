// Linux calls that Swift's Glibc module leaves out, or that Swift cannot call.
#ifndef CONTRAIL_CEPOLL_SHIM_H
#define CONTRAIL_CEPOLL_SHIM_H

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// Edge-triggered, for everything a connection waits for: asked once, never changed.
static inline int contrail_epoll_add_connection(int epoll, int descriptor, uint64_t token) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET};
  event.data.u64 = token;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

// Level-triggered, so that a pause in accepting loses nothing. EPOLLEXCLUSIVE: where loops share a
// socket, one of them is woken.
static inline int contrail_epoll_add_listener(int epoll, int descriptor, uint64_t token) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLEXCLUSIVE};
  event.data.u64 = token;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

static inline int contrail_epoll_remove(int epoll, int descriptor) {
  struct epoll_event event = {.events = 0};
  return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event);
}

// One event, as two numbers.
struct contrail_event {
  uint64_t token;
  uint32_t events;
};

#define CONTRAIL_EVENTS_MAX 256

// Waits, and writes at most CONTRAIL_EVENTS_MAX events: `struct epoll_event` is packed, which Swift does
// not import well.
static inline int contrail_epoll_wait(int epoll, struct contrail_event *events, int milliseconds) {
  struct epoll_event found[CONTRAIL_EVENTS_MAX];
  int count = epoll_wait(epoll, found, CONTRAIL_EVENTS_MAX, milliseconds);
  for (int i = 0; i < count; i++) {
    events[i].token = found[i].data.u64;
    events[i].events = found[i].events;
  }
  return count;
}

static inline int contrail_is_readable(uint32_t events) { return (events & EPOLLIN) != 0; }
static inline int contrail_is_writable(uint32_t events) { return (events & EPOLLOUT) != 0; }
static inline int contrail_has_peer_ended(uint32_t events) { return (events & EPOLLRDHUP) != 0; }
static inline int contrail_is_gone(uint32_t events) { return (events & (EPOLLERR | EPOLLHUP)) != 0; }

static inline int contrail_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

// Accepts a connection that does not block and that no child process inherits.
int accept4(int, struct sockaddr *, socklen_t *, int);
static inline int contrail_accept(int listener, struct sockaddr_storage *address) {
  socklen_t count = sizeof *address;
  memset(address, 0, sizeof *address);
  return accept4(listener, (struct sockaddr *)address, &count, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// A socket that does not block and that no child process inherits.
static inline int contrail_socket(int family) {
  return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static inline int contrail_set_option(int descriptor, int level, int option, int value) {
  return setsockopt(descriptor, level, option, &value, sizeof value);
}

// What a listening TCP socket hands down to the connections it accepts: no delay of small segments, and
// probes after a minute of silence, so that peers which vanished are found.
static inline int contrail_set_tcp_options(int descriptor) {
  return contrail_set_option(descriptor, IPPROTO_TCP, TCP_NODELAY, 1) |
         contrail_set_option(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1) |
         contrail_set_option(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, 60) |
         contrail_set_option(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, 20);
}

static inline int contrail_set_shared_port(int descriptor) {
  return contrail_set_option(descriptor, SOL_SOCKET, SO_REUSEADDR, 1) |
         contrail_set_option(descriptor, SOL_SOCKET, SO_REUSEPORT, 1);
}

// Sends without a signal when the peer is gone; `more` holds back a segment that is not full.
static inline long contrail_send(int descriptor, const void *bytes, long count, int more) {
  return (long)send(descriptor, bytes, (size_t)count, MSG_NOSIGNAL | (more ? MSG_MORE : 0));
}

static inline const char *contrail_errno_text(int reason) { return strerror(reason); }

#endif
