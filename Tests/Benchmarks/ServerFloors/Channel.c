#include "Channel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in loopback(uint16_t port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

uint16_t server_free_port(void) {
  struct sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return 0;
  uint16_t port = 0;
  if (bind(made, (struct sockaddr *)&address, size) == 0 &&
      getsockname(made, (struct sockaddr *)&address, &size) == 0)
    port = ntohs(address.sin_port);
  close(made);
  return port;
}

static int connect_socket(int socket, uint16_t port) {
  const struct sockaddr_in address = loopback(port);
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return connect(socket, (const struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
}

static int begin_tls(channel *made, SSL_CTX *context) {
  made->tls = SSL_new(context);
  if (!made->tls || SSL_set_fd(made->tls, made->socket) != 1) return ENOMEM;
  return SSL_connect(made->tls) == 1 ? 0 : ECONNREFUSED;
}

int channel_open(channel *made, uint16_t port, SSL_CTX *context) {
  made->tls = NULL;
  made->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made->socket < 0) return errno;
  int code = connect_socket(made->socket, port);
  if (code == 0 && context) code = begin_tls(made, context);
  if (code != 0) channel_close(made);
  return code;
}

void channel_close(channel *open) {
  if (open->tls) SSL_free(open->tls);
  if (open->socket >= 0) close(open->socket);
  open->socket = -1;
  open->tls = NULL;
}

int server_listens(uint16_t port) {
  channel made;
  if (channel_open(&made, port, NULL) != 0) return 0;
  channel_close(&made);
  return 1;
}

static ssize_t send_some(channel *to, server_bytes bytes) {
  if (!to->tls) return send(to->socket, bytes.bytes, bytes.count, MSG_NOSIGNAL);
  const int sent = SSL_write(to->tls, bytes.bytes, (int)bytes.count);
  if (sent <= 0) errno = EPIPE;
  return sent > 0 ? sent : -1;
}

int channel_send(channel *to, server_bytes bytes) {
  while (bytes.count > 0) {
    const ssize_t sent = send_some(to, bytes);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno;
    bytes.bytes += sent;
    bytes.count -= (size_t)sent;
  }
  return 0;
}

ssize_t channel_read(channel *from, void *bytes, size_t capacity) {
  if (!from->tls) return recv(from->socket, bytes, capacity, 0);
  const int count = SSL_read(from->tls, bytes, (int)capacity);
  if (count > 0) return count;
  errno = SSL_get_error(from->tls, count) == SSL_ERROR_WANT_READ ? EAGAIN : ECONNRESET;
  return -1;
}
