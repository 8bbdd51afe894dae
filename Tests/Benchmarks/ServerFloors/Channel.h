// A connection to the loopback address, plain or under TLS.
#ifndef CONTRAIL_SERVER_FLOORS_CHANNEL_H
#define CONTRAIL_SERVER_FLOORS_CHANNEL_H

#include "ServerFloors.h"

#include <openssl/ssl.h>

typedef struct {
  int socket;
  // Null for plain connections.
  SSL *tls;
} channel;

// Connects; a `context` means TLS, with whatever certificate the server shows.
int channel_open(channel *made, uint16_t port, SSL_CTX *context);
// Sends everything.
int channel_send(channel *to, server_bytes bytes);
// As `read`: -1 with `errno`, EAGAIN when nothing is there on a channel that does not block.
ssize_t channel_read(channel *from, void *bytes, size_t capacity);
void channel_close(channel *open);

#endif
