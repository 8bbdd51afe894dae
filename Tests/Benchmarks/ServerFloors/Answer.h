// Answers of an HTTP server, as far as a client of a floor has to understand them.
#ifndef CONTRAIL_SERVER_FLOORS_ANSWER_H
#define CONTRAIL_SERVER_FLOORS_ANSWER_H

#include "Channel.h"

// One answer, in memory that grows as answers do; begin with zeros, and free `bytes`.
typedef struct {
  char *bytes;
  size_t capacity;
  size_t head_count;
  size_t body_count;
  int status;
} answer;

// Sends a request and reads its answer.
int answer_ask(channel *to, server_bytes request, answer *into);

#endif
